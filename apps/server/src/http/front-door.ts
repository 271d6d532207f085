import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { PostRequiredError } from '@cleveragents/jsonrpc';
import { Cors } from './cors.js';
import { JsonRpcController } from './json-rpc.controller.js';
import { JsonRpcExceptionFilter } from './json-rpc-exception.filter.js';
import { correlationIdOf, pathOf } from './request-facts.js';
import { TransportSecurity } from './transport-security.js';

type Handler = 'handle' | 'stream';

/** The paths of the protocol, and who answers them. */
const ENDPOINTS: ReadonlyMap<string, Handler> = new Map([
  ['/a2a', 'handle'],
  ['/a2a/stream', 'stream'],
]);

/** Asked by machines of the same network, which often speak no TLS. */
const PROBE_PATHS: ReadonlySet<string> = new Set(['/live', '/ready', '/health', '/metrics']);

/**
 * What every request passes first: HTTPS, cross-origin rules, correlation id. Behind it there are two ways to
 * `POST /a2a` and `POST /a2a/stream`, which differ in cost alone: the controller is called directly (Express would cost
 * more than the whole rest of a call), or through Nest's ordinary route. Everything else goes to Nest.
 */
@Injectable()
export class FrontDoor {
  private readonly isDirect: boolean;
  private readonly isWorker: boolean;

  constructor(
    private readonly filter: JsonRpcExceptionFilter,
    private readonly security: TransportSecurity,
    private readonly cors: Cors,
    @Inject(APP_CONFIG) config: AppConfig,
  ) {
    this.isDirect = config.http.door === 'front';
    this.isWorker = config.role === 'worker';
  }

  /** Takes the place of the listeners that Nest has put on the server. */
  install(server: Server, controller: JsonRpcController): void {
    const listeners = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request');
    server.on('request', (request, response) => {
      if (this.receive(request, response, controller)) return;
      for (const listener of listeners) listener(request, response);
    });
  }

  /** Whether the request is taken care of; if not, it is Nest's. */
  private receive(request: IncomingMessage, response: ServerResponse, controller: JsonRpcController): boolean {
    const path = pathOf(request);
    if (PROBE_PATHS.has(path)) return false;
    if (this.isWorker) {
      response.writeHead(404).end();
      return true;
    }
    try {
      this.security.require(request);
    } catch (error) {
      this.filter.answer(error, request, response);
      return true;
    }
    if (this.cors.answer(request, response)) return true;
    const handler = ENDPOINTS.get(path);
    if (handler !== undefined && request.method !== 'POST') {
      this.filter.answer(new PostRequiredError(), request, response);
      return true;
    }
    if (handler !== undefined && this.isDirect) {
      controller[handler](request, response).catch((error: unknown) => this.filter.answer(error, request, response));
      return true;
    }
    response.setHeader('X-Correlation-ID', correlationIdOf(request));
    return false;
  }
}
