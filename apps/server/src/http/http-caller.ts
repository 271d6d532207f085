import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '@cleveragents/jsonrpc';
import { correlationIdOf, headerOf, queryOf } from './request-facts.js';

/** The names of the header by which A2A 1.0 and its predecessors activate extensions. */
export const EXTENSION_HEADERS = ['A2A-Extensions', 'X-A2A-Extensions'] as const;

/** A caller over HTTP. What a call may not need is read from the request only when it is asked for. */
export class HttpCaller implements Caller {
  readonly transport = 'http';
  private controller: AbortController | undefined;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    readonly identity: Caller['identity'],
  ) {}

  get correlationId(): string {
    return correlationIdOf(this.request);
  }

  get versionHeader(): string | undefined {
    return headerOf(this.request, 'a2a-version');
  }

  get versionQuery(): string | undefined {
    return queryOf(this.request, 'A2A-Version');
  }

  get extensions(): readonly string[] {
    return EXTENSION_HEADERS.flatMap((name) => extensionsIn(this.request, name));
  }

  get idempotencyKey(): string | null {
    return headerOf(this.request, 'idempotency-key') ?? null;
  }

  get lastEventId(): string | null {
    return headerOf(this.request, 'last-event-id') ?? null;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      const controller = new AbortController();
      const leave = (): void => {
        // The close of an answered response is no departure.
        if (!this.response.writableFinished) controller.abort();
      };
      if (this.response.closed) leave();
      else this.response.once('close', leave);
      this.controller = controller;
    }
    return this.controller.signal;
  }
}

export function extensionsIn(request: IncomingMessage, name: (typeof EXTENSION_HEADERS)[number]): string[] {
  const value = headerOf(request, name.toLowerCase());
  return value === undefined ? [] : value.split(',').map((uri) => uri.trim());
}
