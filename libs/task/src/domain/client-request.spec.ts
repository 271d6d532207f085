import { ConfigurationError, type JsonObject } from '@cleveragents/kernel';
import type { Message } from '@cleveragents/protocol';
import { describe, expect, it } from 'vitest';
import { clientRequestPart, clientRequestsIn, requireClientCapability, type ClientMethod } from './client-request.js';
import { checkClientResponses, clientResponsesIn, expiredRequests, expiryPart } from './client-response.js';

const NOW = new Date('2026-01-02T03:04:05.000Z');
const LATER = new Date('2026-01-02T03:14:05.000Z');
const READ = '_cleveragents/fs/read_text_file';

function saying(role: Message['role'], ...data: JsonObject[]): Message {
  return { messageId: 'm', role, parts: data.map((member) => ({ data: member })) };
}

function asked(): { request: Message; id: string } {
  const request: Message = { messageId: 'm', role: 'ROLE_AGENT', parts: [clientRequestPart(READ, { path: 'a' }, NOW)] };
  return { request, id: clientRequestsIn([request])[0]?.requestId ?? '' };
}

const response = (id: string, outcome: JsonObject = { result: {} }) =>
  saying('ROLE_USER', { kind: 'client_response', request_id: id, ...outcome });

describe('a request to the client', () => {
  it('is open for ten minutes, and asked by an agent alone', () => {
    const { request, id } = asked();
    expect(clientRequestsIn([request])).toEqual([{ requestId: id, method: READ, expiresAt: LATER.toISOString() }]);
    expect(clientRequestsIn([{ ...request, role: 'ROLE_USER' }])).toEqual([]);
  });

  it.each<[ClientMethod, JsonObject]>([
    [READ, { fs: { read: true } }],
    ['_cleveragents/fs/write_text_file', { fs: { write: true } }],
    ['_cleveragents/terminal/create', { terminal: true }],
  ])('%s needs the capability that goes with it', (method, clientCapabilities) => {
    const message = saying('ROLE_USER');
    expect(() => requireClientCapability({ ...message, metadata: { clientCapabilities } }, method)).not.toThrow();
    for (const other of [{}, { fs: true }, { fs: {} }, { fs: { read: 1, write: 1 }, terminal: {} }, null, 'fs']) {
      const metadata = { clientCapabilities: other };
      expect(() => requireClientCapability({ ...message, metadata }, method)).toThrow(ConfigurationError);
    }
    expect(() => requireClientCapability(message, method)).toThrow('clientCapabilities.');
  });
});

describe('an answer of the client', () => {
  it('is taken while its request is open', () => {
    const { request, id } = asked();
    const message = response(id, { error: { code: 1 } });
    expect(() => checkClientResponses(message, [request], NOW)).not.toThrow();
    expect(clientResponsesIn(message)).toEqual([{ requestId: id, error: { code: 1 } }]);
  });

  it('is refused when its request is unknown, answered or expired, or it has no form', () => {
    const { request, id } = asked();
    const refused: [Message, Message[], Date, string][] = [
      [response('other'), [request], NOW, 'names no open request'],
      [response(id), [], NOW, 'names no open request'],
      [response(id), [request, response(id)], NOW, 'names no open request'],
      [response(id), [request], LATER, 'has expired'],
      [response(id, {}), [request], NOW, 'exactly one of result, error'],
      [response(id, { result: 1, error: 2 }), [request], NOW, 'exactly one of result, error'],
      [response(id, { result: 'x'.repeat(1024 * 1024 - 1) }), [request], NOW, 'at most 1 MiB'],
      [saying('ROLE_USER', { kind: 'client_response' }), [request], NOW, 'message.parts[0].data.request_id must be'],
    ];
    for (const [message, history, now, fault] of refused) {
      expect(() => checkClientResponses(message, history, now)).toThrow(fault);
    }
    expect(() =>
      checkClientResponses(response(id, { result: 'x'.repeat(1024 * 1024 - 2) }), [request], NOW),
    ).not.toThrow();
  });

  it('is given in the place of a client that does not answer in time', () => {
    const { request, id } = asked();
    expect(expiredRequests([request], NOW)).toEqual([]);
    expect(expiredRequests([request, response(id)], LATER)).toEqual([]);
    const [expired] = expiredRequests([request], LATER);
    expect(expired?.requestId).toBe(id);
    const part = expired === undefined ? {} : expiryPart(expired);
    expect(clientResponsesIn({ messageId: 'm', role: 'ROLE_USER', parts: [part] })).toEqual([
      {
        requestId: id,
        error: expect.objectContaining({ reason: 'CLIENT_REQUEST_EXPIRED', recoverable: true }) as unknown,
      },
    ]);
  });
});
