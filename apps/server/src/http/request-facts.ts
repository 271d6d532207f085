import type { IncomingMessage } from 'node:http';
import type { CallerFacts } from '@cleveragents/jsonrpc';
import { correlationIdFrom } from '@cleveragents/observability';

const correlationIds = new WeakMap<IncomingMessage, string>();

/** The correlation id of a request: one and the same for everything that happens on its behalf. */
export function correlationIdOf(request: IncomingMessage): string {
  const known = correlationIds.get(request);
  if (known !== undefined) return known;
  const id = correlationIdFrom(headerOf(request, 'x-correlation-id'));
  correlationIds.set(request, id);
  return id;
}

export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

export function queryOf(request: IncomingMessage, name: string): string | undefined {
  const query = request.url?.split('?', 2)[1];
  return query === undefined ? undefined : (new URLSearchParams(query).get(name) ?? undefined);
}

export function pathOf(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** What even the answer to an unread request depends on. */
export function callerFactsOf(request: IncomingMessage): CallerFacts {
  return {
    versionHeader: headerOf(request, 'a2a-version'),
    versionQuery: queryOf(request, 'A2A-Version'),
    correlationId: correlationIdOf(request),
  };
}
