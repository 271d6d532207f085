import { describe, expect, it } from 'vitest';
import { streamingRequest } from './streaming-request.js';

const NONE = { versionHeader: undefined, versionQuery: undefined };
const MESSAGE = { message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] } };

describe('the body of POST /a2a/stream', () => {
  it.each([
    { jsonrpc: '2.0', id: 1, method: 'message/stream', params: MESSAGE },
    { method: 'message/stream' },
    { operation: 'event.subscribe', payload: {} },
    [MESSAGE],
    'hello',
    null,
  ])('is a request as it stands: %j', (body) => {
    expect(streamingRequest(body, NONE)).toBe(body);
  });

  it.each([
    [MESSAGE, undefined, 'tasks/sendSubscribe'],
    [{ id: 't', ...MESSAGE }, '', 'tasks/sendSubscribe'],
    [{}, undefined, 'tasks/sendSubscribe'],
    [{ id: 't' }, undefined, 'tasks/resubscribe'],
    [MESSAGE, '0.3', 'message/stream'],
    [MESSAGE, '1.0', 'SendStreamingMessage'],
    [{ id: 't' }, '1.0.1', 'SubscribeToTask'],
    [MESSAGE, '7.0', 'tasks/sendSubscribe'],
  ])('is params: %j under version %s calls %s', (body, versionHeader, method) => {
    const request = { jsonrpc: '2.0', id: null, method, params: body };
    expect(streamingRequest(body, { ...NONE, versionHeader })).toEqual(request);
    expect(streamingRequest(body, { versionHeader: '', versionQuery: versionHeader })).toEqual(request);
  });
});
