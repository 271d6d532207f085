import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, request } from 'undici';
import { guardedConnector } from './guarded-connector.js';
import { OutboundError, failureOf } from './outbound-error.js';
import { OutboundGuard } from './outbound-guard.js';

export interface OutboundCall {
  readonly headers?: Readonly<Record<string, string>>;
  /** For the whole call: connecting, sending, and reading the answer to its end. */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  readonly signal?: AbortSignal;
}

export interface OutboundResponse {
  /** As answered: also a redirect, which is never followed. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface OutboundRequest extends OutboundCall {
  readonly method: 'GET' | 'POST';
  readonly body?: string | Uint8Array;
}

/** The one way in which this server calls an address that somebody else named. Fails with an OutboundError. */
@Injectable()
export class OutboundClient implements OnApplicationShutdown {
  private readonly agent: Agent;

  constructor(private readonly guard: OutboundGuard) {
    this.agent = new Agent({ connect: guardedConnector(guard) });
  }

  get(url: string, call: OutboundCall): Promise<OutboundResponse> {
    return this.send(url, { ...call, method: 'GET' });
  }

  post(url: string, call: OutboundCall & { readonly body: string | Uint8Array }): Promise<OutboundResponse> {
    return this.send(url, { ...call, method: 'POST' });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  private async send(url: string, call: OutboundRequest): Promise<OutboundResponse> {
    if (this.guard.formProblem(url) !== null) throw new OutboundError('address_refused');
    const timeout = AbortSignal.timeout(call.timeoutMs);
    let status: number | undefined;
    try {
      const response = await request(url, {
        dispatcher: this.agent,
        method: call.method,
        headers: { ...call.headers },
        body: call.body ?? null,
        signal: call.signal === undefined ? timeout : AbortSignal.any([timeout, call.signal]),
      });
      status = response.statusCode;
      return { status, headers: response.headers, body: await readWhole(response.body, call.maxResponseBytes) };
    } catch (cause) {
      throw new OutboundError(failureOf(cause, { caller: call.signal, timeout }), { cause, status });
    }
  }
}

/** Leaving the loop early also ends the connection, so an endless answer costs no more than its first bytes. */
async function readWhole(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new OutboundError('response_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
