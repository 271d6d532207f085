import type { AddressInfo } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { APP_CONFIG, type AppConfig } from './app-config.js';
import { isUnspecifiedHost } from './loopback.js';

/** Where this server is found. Never taken from a request, which could be made to name any host. */
@Injectable()
export class ServerAddress {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly adapter: HttpAdapterHost,
  ) {}

  /** What callers reach, without a trailing slash. */
  baseUrl(): string {
    return this.config.http.publicBaseUrl ?? this.listenUrl();
  }

  /** Where this process listens, or would if it did. */
  listenUrl(): string {
    const { host, port, tls } = this.config.http;
    const name = isUnspecifiedHost(host) ? 'localhost' : host;
    const authority = `${name.includes(':') ? `[${name}]` : name}:${this.listeningPort() ?? port}`;
    return `${tls === null ? 'http' : 'https'}://${authority}`;
  }

  /** Another one than configured if any free port was asked for. */
  private listeningPort(): number | null {
    const { httpAdapter } = this.adapter as { httpAdapter?: HttpAdapterHost['httpAdapter'] };
    const address = httpAdapter?.getHttpServer()?.address() as AddressInfo | null | undefined;
    return address?.port ?? null;
  }
}
