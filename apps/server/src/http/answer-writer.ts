import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Answer, AnswerHeaders } from '@cleveragents/jsonrpc';
import { EXTENSION_URI } from '@cleveragents/protocol';
import { EXTENSION_HEADERS, extensionsIn } from './http-caller.js';
import { correlationIdOf } from './request-facts.js';

/** Sends one JSON-RPC answer. */
export function writeAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  // The rest of a body that nobody reads would be taken for the next request.
  if (answer.status === 413 && !request.complete) response.shouldKeepAlive = false;
  response.writeHead(answer.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(answer.body),
    ...commonHeaders(request, answer.headers),
  });
  response.end(answer.body);
}

/** An accepted notification has no answer. */
export function writeNothing(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, commonHeaders(request, {}));
  response.end();
}

/** What every answer carries, streams included. */
export function commonHeaders(request: IncomingMessage, headers: AnswerHeaders): OutgoingHttpHeaders {
  const common: OutgoingHttpHeaders = { 'X-Correlation-ID': correlationIdOf(request), ...headers };
  for (const name of EXTENSION_HEADERS) {
    // Activated extensions are named in the answer; unknown ones are ignored.
    if (extensionsIn(request, name).includes(EXTENSION_URI)) common[name] = EXTENSION_URI;
  }
  return common;
}
