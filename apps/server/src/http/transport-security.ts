import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, isLoopbackHost, type AppConfig } from '@cleveragents/config';
import { HttpsRequiredError } from '@cleveragents/jsonrpc';
import { headerOf } from './request-facts.js';

const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'] as const;

/** HTTPS only: over TLS, through a trusted proxy that says https, or from this very machine without any proxy. */
@Injectable()
export class TransportSecurity {
  private readonly proxies = new BlockList();
  private readonly hasProxies: boolean;

  constructor(@Inject(APP_CONFIG) config: AppConfig) {
    const { trustedProxies } = config.http;
    this.hasProxies = trustedProxies.length > 0;
    for (const proxy of trustedProxies) addTo(this.proxies, proxy);
  }

  /** Throws before anything of the request but its head has been looked at. */
  require(request: IncomingMessage): void {
    if (request.socket instanceof TLSSocket) return;
    const peer = request.socket.remoteAddress ?? '';
    const isForwarded = FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined);
    if (isForwarded ? this.isTrusted(peer) && saysHttps(request) : isLoopbackHost(peer)) return;
    throw new HttpsRequiredError();
  }

  private isTrusted(peer: string): boolean {
    if (!this.hasProxies) return false;
    const address = peer.startsWith('::ffff:') ? peer.slice('::ffff:'.length) : peer;
    return this.proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
}

function addTo(list: BlockList, proxy: string): void {
  const [address = '', prefix] = proxy.split('/');
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  if (prefix === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(prefix), family);
}

/** The nearest proxy is the trusted one, and it speaks last. */
function saysHttps(request: IncomingMessage): boolean {
  const forwardedProto = headerOf(request, 'x-forwarded-proto');
  if (forwardedProto !== undefined) return forwardedProto.split(',').at(-1)?.trim().toLowerCase() === 'https';
  const forwarded = headerOf(request, 'forwarded')?.split(',').at(-1) ?? '';
  return /(^|;)\s*proto="?https"?\s*(;|$)/i.test(forwarded);
}
