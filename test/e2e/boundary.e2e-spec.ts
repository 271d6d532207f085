import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestServer, textMessage, type JsonRpcAnswer } from './test-server.js';

const MIB = 1024 * 1024;

async function answerOf(response: Response): Promise<JsonRpcAnswer> {
  return (await response.json()) as JsonRpcAnswer;
}

/** The frames of a stream; ends when the server ends it. */
async function framesOf(response: Response): Promise<JsonRpcAnswer[]> {
  const text = await response.text();
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as JsonRpcAnswer);
}

describe.each(['front', 'express'])('POST /a2a through the %s door', (door) => {
  let server: TestServer;
  let finishedTask: string;

  beforeAll(async () => {
    server = await TestServer.start({ DOOR: door, A2A_BODY_LIMIT: '1MiB' });
    const { result } = await server.call('message/send', textMessage('echo: hi', 'first'));
    finishedTask = (result as { id: string }).id;
  });

  afterAll(() => server.stop());

  describe('R01 bodies that are not a JSON-RPC request', () => {
    const get = (rest: object) => JSON.stringify({ jsonrpc: '2.0', method: 'tasks/get', params: { id: 'x' }, ...rest });

    it.each([
      ['a truncated body', '{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"x"', 400, -32700, null],
      ['an empty body', '', 400, -32700, null],
      ['an object that is no call', '{"colour":"green"}', 200, -32600, null],
      ['a string', '"tasks/get"', 200, -32600, null],
      ['another version of JSON-RPC', get({ jsonrpc: '1.9', id: 'e' }), 200, -32600, 'e'],
      ['an object for an id', get({ id: { n: 1 } }), 200, -32600, null],
      ['an unknown method', get({ id: 'g', method: 'tasks/fetch' }), 200, -32601, 'g'],
      ['a list of params', get({ id: 'h', params: ['x'] }), 200, -32602, 'h'],
      ['a missing param', get({ id: 'i', params: {} }), 200, -32602, 'i'],
      ['bytes that are no UTF-8 text', Uint8Array.of(0x22, 0xc3, 0x28, 0x22), 400, -32700, null],
      ['nesting without end', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 200, -32600, null],
    ])('answers %s', async (_what, body, status, code, id) => {
      const response = await server.post(body);
      expect(response.status).toBe(status);
      expect(response.headers.get('content-type')).toBe('application/json');
      const answer = await answerOf(response);
      expect(Object.keys(answer).sort()).toEqual(['error', 'id', 'jsonrpc']);
      expect(answer).toMatchObject({ jsonrpc: '2.0', id, error: { code } });
    });

    it('names the missing field', async () => {
      const { error } = await server.call('tasks/get');
      expect(error?.data).toMatchObject({ errors: [{ path: 'id', message: 'is required' }] });
    });

    it('refuses an oversized body with the limit and keeps serving', async () => {
      const body = { jsonrpc: '2.0', id: 'j', method: 'message/send', params: textMessage('a'.repeat(2 * MIB), 'j') };
      const response = await server.post(body);
      expect(response.status).toBe(413);
      const answer = await answerOf(response);
      expect(answer).toMatchObject({ id: null, error: { code: -32600, data: { limit_bytes: MIB } } });
      expect((await server.call('_cleveragents/health/check')).result).toMatchObject({ status: 'ok' });
    });

    it('refuses another content type', async () => {
      const response = await server.post(get({ id: 'k' }), { 'content-type': 'text/plain' });
      expect(response.status).toBe(415);
      expect(await answerOf(response)).toMatchObject({ id: null, error: { code: -32005 } });
    });
  });

  describe('R02 the id comes back as it went out', () => {
    it.each([0, '', '007', 'ключ-🔑', -3, 9_007_199_254_740_991, null])('for %j', async (id) => {
      const healthy = await server.call('_cleveragents/health/check', {}, id);
      expect(healthy).toMatchObject({ id, result: { status: 'ok' } });
      const missing = await server.call('tasks/get', { id: 'no-such-task' }, id);
      expect(missing).toMatchObject({ id, error: { code: -32001 } });
    });

    it('in every frame of a stream', async () => {
      const params = textMessage('echo: hi', 'r02');
      const frames = await framesOf(await server.post({ jsonrpc: '2.0', id: 0, method: 'message/stream', params }));
      expect(frames.length).toBeGreaterThan(1);
      expect(frames.map(({ id }) => id)).toEqual(frames.map(() => 0));
    });
  });

  describe('R03 requests without an id, and batches', () => {
    const get = (rest: object = {}) => ({ jsonrpc: '2.0', method: 'tasks/get', params: { id: finishedTask }, ...rest });

    it.each([
      ['a notification', () => get()],
      ['a batch of notifications', () => [get()]],
    ])('answers %s with nothing', async (_what, body) => {
      const response = await server.post(body());
      expect(response.status).toBe(204);
      expect(await response.text()).toBe('');
    });

    it('says why it refuses a notification', async () => {
      const response = await server.post({ jsonrpc: '2.0', method: 'no/such', params: {} });
      expect(response.status).toBe(200);
      expect(await answerOf(response)).toMatchObject({ id: null, error: { code: -32601 } });
    });

    it('answers the calls of a batch and nothing else', async () => {
      const response = await server.post([get({ id: 'p' }), get(), 7, { jsonrpc: '2.0', id: 'q', method: 'no/such' }]);
      expect(response.status).toBe(200);
      const answers = (await response.json()) as JsonRpcAnswer[];
      expect(answers).toHaveLength(3);
      expect(answers).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ id: 'p', result: expect.objectContaining({ id: finishedTask }) }),
          expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32600 }) }),
          expect.objectContaining({ id: 'q', error: expect.objectContaining({ code: -32601 }) }),
        ]),
      );
    });

    it('refuses an empty batch with one object', async () => {
      const answer = await answerOf(await server.post([]));
      expect(answer).toMatchObject({ id: null, error: { code: -32600 } });
    });

    it('refuses a stream inside a batch and starts nothing', async () => {
      const params = textMessage('echo: x', 'b-1');
      const before = (await server.call('tasks/list')).result as { totalSize: number };
      const response = await server.post([
        { jsonrpc: '2.0', id: 's', method: 'message/stream', params },
        get({ id: 't' }),
      ]);
      expect(response.headers.get('content-type')).toBe('application/json');
      const answers = (await response.json()) as JsonRpcAnswer[];
      expect(answers).toMatchObject([
        { id: 's', error: { code: -32600 } },
        { id: 't', result: { id: finishedTask } },
      ]);
      expect((await server.call('tasks/list')).result).toMatchObject({ totalSize: before.totalSize });
    });

    it('refuses a batch above the limit as a whole', async () => {
      const answer = await answerOf(await server.post(Array.from({ length: 51 }, (_item, id) => get({ id }))));
      expect(answer).toMatchObject({ id: null, error: { code: -32600 } });
    });
  });

  describe('R13 errors before the stream starts are plain answers', () => {
    const accept = { accept: 'text/event-stream' };
    const streaming = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });

    it.each([
      ['bad params', 'message/stream', () => ({ message: { kind: 'message', role: 'user', messageId: 'm' } }), -32602],
      ['an unknown task', 'tasks/subscribe', () => ({ id: 'no-such-task' }), -32001],
      ['an unknown task by its official name', 'tasks/resubscribe', () => ({ id: 'no-such-task' }), -32001],
      ['a task that is over', 'tasks/subscribe', () => ({ id: finishedTask }), -32004],
    ])('for %s', async (_what, method, params, code) => {
      const response = await server.post(streaming(method, params()), accept);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await answerOf(response)).toMatchObject({ id: 1, error: { code } });
    });

    it('for missing credentials', async () => {
      const body = streaming('message/stream', textMessage('echo: x', 'm'));
      const response = await server.post(body, { ...accept, authorization: undefined });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(await answerOf(response)).toMatchObject({ id: 1, error: { code: -31002 } });
    });

    it('for an agent that cannot start, or the stream tells the failure', async () => {
      const response = await server.post(streaming('message/stream', textMessage('failstart', 'f')), accept);
      const isPlain = response.headers.get('content-type') === 'application/json';
      const answers = isPlain ? [await answerOf(response)] : await framesOf(response);
      expect(answers.length).toBeGreaterThan(0);
      const last = answers.at(-1);
      const end = last?.error === undefined ? last?.result : { status: { state: 'failed' } };
      expect(end).toMatchObject({ status: { state: 'failed' } });
    });

    it('leaves no trace of a double answer in the log', () => {
      expect(server.log.join('')).not.toMatch(/headers already sent|ERR_HTTP_HEADERS_SENT/);
    });
  });

  it('writes a stream that can be resumed and that proxies do not hold back', async () => {
    const params = textMessage('chunks: a|b|c every 1', 'chunked');
    const response = await server.post({ jsonrpc: '2.0', id: 's', method: 'message/stream', params });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
    const events = (await response.text()).trimEnd().split('\n\n');
    for (const event of events) expect(event).toMatch(/^id: \S+\ndata: \{.*\}$/);
    expect(JSON.parse(events[0]?.split('data: ')[1] ?? '')).toMatchObject({ id: 's', result: { kind: 'task' } });
    expect(events.at(-1)).toContain('"final":true');
  });

  it('refuses an invalid token and asks for a valid one', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: '_cleveragents/health/check' };
    const response = await server.post({ ...body, method: 'no/such' }, { authorization: 'Bearer nonsense' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    const open = await answerOf(await server.post(body, { authorization: undefined }));
    expect(open.result).toEqual({ status: 'ok' });
  });

  it('reads little of what a caller without credentials sends', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'message/send', params: textMessage('a'.repeat(100_000), 'm') };
    expect((await server.post(body, { authorization: undefined })).status).toBe(401);
  });

  it('takes nothing but POST', async () => {
    const response = await server.get('/a2a');
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(await answerOf(response)).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it('echoes the correlation id in the answer and in the error', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'no/such' };
    const given = await server.post(body, { 'x-correlation-id': 'trace-7' });
    expect(given.headers.get('x-correlation-id')).toBe('trace-7');
    expect((await answerOf(given)).error?.data).toMatchObject({ correlation_id: 'trace-7' });
    expect((await server.post(body)).headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('echoes the version and the extension where they were stated', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: '_cleveragents/health/check' };
    const plain = await server.post(body);
    expect(plain.headers.get('a2a-version')).toBeNull();
    expect(plain.headers.get('a2a-extensions')).toBeNull();
    const stated = await server.post(body, {
      'a2a-version': '1.0.9',
      'a2a-extensions': 'urn:other:x, urn:cleveragents:extensions:v1',
    });
    expect(stated.headers.get('a2a-version')).toBe('1.0');
    expect(stated.headers.get('a2a-extensions')).toBe('urn:cleveragents:extensions:v1');
  });

  it('refuses a request that a proxy nobody trusts has forwarded, before its token or body', async () => {
    const response = await server.post('no json', { 'x-forwarded-proto': 'https', authorization: undefined });
    expect(response.status).toBe(403);
    expect(await answerOf(response)).toMatchObject({ error: { data: { reason: 'HTTPS_REQUIRED' } } });
  });
});
