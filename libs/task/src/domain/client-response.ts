import { isJsonObject, ValidationError, type JsonObject, type JsonValue } from '@cleveragents/kernel';
import type { Message, Part } from '@cleveragents/protocol';
import { clientRequestsIn, type ClientRequest } from './client-request.js';

/** An answer is data that somebody else's machine made: no more of it than this. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

/** What the client's side answered: exactly one of `result` and `error`. Never executed. */
export interface ClientResponse {
  readonly requestId: string;
  readonly result?: JsonValue;
  readonly error?: JsonValue;
}

interface PlacedResponse {
  readonly path: string;
  readonly data: JsonObject;
}

/** The answers in a message that was accepted. */
export function clientResponsesIn(message: Message): ClientResponse[] {
  return placedResponses(message).map(({ data: { request_id, result, error } }) => ({
    requestId: typeof request_id === 'string' ? request_id : '',
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
  }));
}

export function hasClientResponse(message: Message): boolean {
  return placedResponses(message).length > 0;
}

/** Refuses answers to what was not asked, was answered before or has expired, and those without form or measure. */
export function checkClientResponses(message: Message, history: readonly Message[], now: Date): void {
  const asked = new Map(clientRequestsIn(history).map(({ requestId, expiresAt }) => [requestId, expiresAt]));
  const answered = new Set(history.flatMap(clientResponsesIn).map(({ requestId }) => requestId));
  for (const { path, data } of placedResponses(message)) {
    const { request_id: id, result, error } = data;
    if (typeof id !== 'string') throw ValidationError.of(`${path}.request_id`, 'must be a string');
    const expiresAt = asked.get(id);
    if (expiresAt === undefined || answered.has(id)) {
      throw ValidationError.of(`${path}.request_id`, 'names no open request of this task', 'CLIENT_REQUEST_NOT_OPEN');
    }
    if (now.getTime() >= Date.parse(expiresAt)) {
      throw ValidationError.of(`${path}.request_id`, 'names a request that has expired', 'CLIENT_REQUEST_EXPIRED');
    }
    if ((result === undefined) === (error === undefined)) {
      throw ValidationError.of(path, 'must have exactly one of result, error');
    }
    if (Buffer.byteLength(JSON.stringify(result ?? error)) > MAX_RESPONSE_BYTES) {
      throw ValidationError.of(path, 'must have at most 1 MiB', 'CLIENT_RESPONSE_TOO_LARGE');
    }
    // The same request twice in one message is answered twice.
    answered.add(id);
  }
}

/** Requests that nobody answered in time. */
export function expiredRequests(history: readonly Message[], now: Date): ClientRequest[] {
  const answered = new Set(history.flatMap(clientResponsesIn).map(({ requestId }) => requestId));
  const open = clientRequestsIn(history).filter(({ requestId }) => !answered.has(requestId));
  return open.filter(({ expiresAt }) => now.getTime() >= Date.parse(expiresAt));
}

/** The answer to a request that nobody answered: a failure that the agent may live with. */
export function expiryPart({ requestId }: ClientRequest): Part {
  const error = { reason: 'CLIENT_REQUEST_EXPIRED', message: 'The client did not answer in time', recoverable: true };
  return { data: { kind: 'client_response', request_id: requestId, error }, mediaType: 'application/json' };
}

function placedResponses({ parts }: Message): PlacedResponse[] {
  return parts.flatMap(({ data }, index) =>
    isJsonObject(data) && data.kind === 'client_response' ? [{ path: `message.parts[${index}].data`, data }] : [],
  );
}
