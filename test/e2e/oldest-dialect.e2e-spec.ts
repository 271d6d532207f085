import { mintToken } from '@cleveragents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestServer, type JsonRpcAnswer } from './test-server.js';

interface Task01 {
  readonly id: string;
  readonly sessionId: string;
  readonly status: { readonly state: string; readonly message?: unknown };
  readonly artifacts?: readonly {
    readonly index: number;
    readonly parts: readonly { type: string; text?: string }[];
  }[];
  readonly history?: readonly unknown[];
}

interface Frame {
  readonly id: string | undefined;
  readonly data: { readonly id?: unknown; readonly result?: Record<string, unknown>; readonly error?: object };
}

const said = (text: string) => ({ message: { role: 'user', parts: [{ type: 'text', text }] } });

describe.each(['front', 'express'])('A2A 0.1 through the %s door', (door) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ DOOR: door, PUSH_ALLOW_LOOPBACK: 'on' });
  });

  afterAll(() => server.stop());

  async function call(method: string, params: object, headers: Record<string, string> = {}): Promise<Task01> {
    const response = await server.post({ jsonrpc: '2.0', id: 1, method, params }, headers);
    const { result, error } = (await response.json()) as JsonRpcAnswer;
    if (error !== undefined) throw new Error(`${error.code} ${error.message}`);
    return result as Task01;
  }

  async function stream(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Frame[]> {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}`, ...headers },
      body: JSON.stringify(body),
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    return framesIn(await response.text());
  }

  const subscribe = (method: string, params: object) => stream('/a2a', { jsonrpc: '2.0', id: 'r', method, params });

  it('makes the task that the client named, and answers it by that name', async () => {
    const task = await call('tasks/send', { id: 'invoice № 7', sessionId: 's-1', ...said('echo: hi') });
    expect(task).toMatchObject({
      id: 'invoice № 7',
      sessionId: 's-1',
      status: { state: 'completed' },
      artifacts: [{ index: 0, parts: [{ type: 'text', text: 'hi' }] }],
    });
    expect(JSON.stringify(task)).not.toMatch(/"kind"|contextId|messageId/);
    expect(await call('tasks/get', { id: 'invoice № 7' })).toMatchObject({ id: 'invoice № 7', sessionId: 's-1' });
  });

  it('makes a name where the client has none, which leads to the task from then on', async () => {
    const { id } = await call('tasks/send', said('ask: name?'));
    expect(await call('tasks/get', { id })).toMatchObject({ id, status: { state: 'input-required' } });
    expect(await call('tasks/send', { id, ...said('echo: thanks') })).toMatchObject({
      id,
      status: { state: 'completed' },
    });
  });

  it('takes the same payload under a name for a retry, in any order of its members', async () => {
    const first = await call('tasks/send', { id: 'retried', ...said('ask: sure?') });
    const { message } = said('ask: sure?');
    const again = await call('tasks/send', { message: { parts: message.parts, role: message.role }, id: 'retried' });
    expect(again).toEqual(first);
    const history = await call('tasks/get', { id: 'retried', historyLength: 10 });
    expect(history.history).toHaveLength(2);
  });

  it('runs copies that arrive together once', async () => {
    const copies = Array.from({ length: 10 }, () => call('tasks/send', { id: 'together', ...said('ask: once?') }));
    const tasks = await Promise.all(copies);
    expect(new Set(tasks.map(({ sessionId }) => sessionId)).size).toBe(1);
    const { history } = await call('tasks/get', { id: 'together', historyLength: 10 });
    expect(history).toHaveLength(2);
  });

  it('takes another payload for the next turn, and refuses one for a task that is over', async () => {
    await call('tasks/send', { id: 'talk', ...said('ask: name?') });
    const next = await call('tasks/send', { id: 'talk', ...said('echo: Ada') });
    expect(next).toMatchObject({
      id: 'talk',
      status: { state: 'completed' },
      artifacts: [{ parts: [{ text: 'Ada' }] }],
    });
    await expect(call('tasks/send', { id: 'talk', ...said('echo: more') })).rejects.toThrow('-32004');
    await expect(call('tasks/send', { id: 'talk', sessionId: 'other', ...said('x') })).rejects.toThrow('-32602');
  });

  it('keeps the names of clients apart', async () => {
    const other = { authorization: `Bearer ${await mintToken(server.dataDir, 'ada')}` };
    await call('tasks/send', { id: 'shared', ...said('ask: mine?') });
    await expect(call('tasks/get', { id: 'shared' }, other)).rejects.toThrow('-32001');
    const theirs = await call('tasks/send', { id: 'shared', ...said('echo: theirs') }, other);
    expect(theirs).toMatchObject({ id: 'shared', status: { state: 'completed' } });
    expect(await call('tasks/get', { id: 'shared' })).toMatchObject({ status: { state: 'input-required' } });
  });

  it('cancels by the name', async () => {
    await call('tasks/send', { id: 'stopped', ...said('ask: go on?') });
    expect(await call('tasks/cancel', { id: 'stopped' })).toMatchObject({
      id: 'stopped',
      status: { state: 'canceled' },
    });
    await expect(call('tasks/cancel', { id: 'stopped' })).rejects.toThrow('-32002');
    await expect(call('tasks/cancel', { id: 'no such' })).rejects.toThrow('-32001');
  });

  it.each([
    ['no version', 'sessionId', {}],
    ['A2A-Version: 0.1', 'sessionId', { 'a2a-version': '0.1' }],
    ['A2A-Version: 0.3', 'kind', { 'a2a-version': '0.3' }],
    ['A2A-Version: 0.2', 'kind', { 'a2a-version': '0.2.5' }],
  ])('with %s answers a task of 0.1 with %s', async (_what, member, headers) => {
    await call('tasks/send', { id: 'read', ...said('echo: hi') });
    expect(await call('tasks/get', { id: 'read' }, headers)).toHaveProperty(member);
  });

  it('answers a task of 0.3 in 0.3 where no version is stated, and in 0.1 where that is', async () => {
    const message = { kind: 'message', role: 'user', messageId: 'm', parts: [{ kind: 'text', text: 'echo: hi' }] };
    const { id } = await call('message/send', { message });
    expect(await call('tasks/get', { id })).toMatchObject({ kind: 'task', id });
    const old = await call('tasks/get', { id }, { 'a2a-version': '0.1' });
    expect(old).toMatchObject({ id, artifacts: [{ index: 0, parts: [{ type: 'text' }] }] });
    expect(old).not.toHaveProperty('kind');
  });

  it('streams updates under the name, the last one final, with a cursor to resume from', async () => {
    const params = { id: 'streamed', ...said('chunks: a|b|c every 1') };
    const frames = await subscribe('tasks/sendSubscribe', params);
    expect(frames.every(({ data }) => data.id === 'r' && data.result?.['id'] === 'streamed')).toBe(true);
    const results = frames.map(({ data }) => data.result ?? {});
    expect(results[0]).toMatchObject({ status: { state: 'submitted' }, final: false });
    const texts = results.flatMap(
      ({ artifact }) => (artifact as { parts: { text: string }[] } | undefined)?.parts ?? [],
    );
    expect(texts.map(({ text }) => text).join('')).toBe('abc');
    expect(results.filter(({ final }) => final === true)).toEqual([results.at(-1)]);
    expect(results.at(-1)).toMatchObject({ status: { state: 'completed' } });
  });

  it('answers a retry of a stream with the task as it is, whole', async () => {
    const params = { id: 'streamed twice', ...said('echo: hi') };
    await subscribe('tasks/sendSubscribe', params);
    const frames = await subscribe('tasks/sendSubscribe', params);
    expect(frames.map(({ data }) => data.result)).toMatchObject([
      { status: { state: 'completed' }, final: false },
      { artifact: { parts: [{ text: 'hi' }], index: 0 } },
      { status: { state: 'completed' }, final: true },
    ]);
    expect(frames.map(({ id }) => id === undefined)).toEqual([true, true, false]);
  });

  it('resubscribes by the name, and from a cursor', async () => {
    const first = await subscribe('tasks/sendSubscribe', { id: 'resumed', ...said('ask: go on?') });
    expect(first.at(-1)?.data.result).toMatchObject({ status: { state: 'input-required' }, final: true });
    const following = subscribe('tasks/resubscribe', { id: 'resumed' });
    await call('tasks/send', { id: 'resumed', ...said('echo: done') });
    const results = (await following).map(({ data }) => data.result);
    expect(results[0]).toMatchObject({ id: 'resumed', status: { state: expect.any(String) as string } });
    expect(results.at(-1)).toMatchObject({ id: 'resumed', status: { state: 'completed' }, final: true });
  });

  it('keeps the one webhook of a task under the name', async () => {
    await call('tasks/send', { id: 'watched', ...said('ask: go on?') });
    const pushNotificationConfig = { url: 'https://hooks.example.test/first', token: 't-1' };
    const set = await call('tasks/pushNotification/set', { id: 'watched', pushNotificationConfig });
    expect(set).toMatchObject({ id: 'watched', pushNotificationConfig: { url: pushNotificationConfig.url } });
    await call('tasks/pushNotification/set', {
      id: 'watched',
      pushNotificationConfig: { url: 'https://hooks.example.test/second' },
    });
    expect(await call('tasks/pushNotification/get', { id: 'watched' })).toMatchObject({
      id: 'watched',
      pushNotificationConfig: { url: 'https://hooks.example.test/second' },
    });
  });

  describe('POST /a2a/stream', () => {
    const bare = (body: unknown, headers: Record<string, string> = {}) => stream('/a2a/stream', body, headers);

    it('streams bare events for nothing but params', async () => {
      const frames = await bare({ id: 'bare', ...said('chunks: a|b every 1') });
      const events = frames.map(({ data }) => data as Record<string, unknown>);
      expect(events.every((event) => !('jsonrpc' in event) && event['id'] === 'bare')).toBe(true);
      expect(events[0]).toMatchObject({ type: 'TaskStatusUpdateEvent', status: { state: 'submitted' }, final: false });
      expect(events).toContainEqual(
        expect.objectContaining({
          type: 'TaskArtifactUpdateEvent',
          artifact: expect.objectContaining({ type: 'TextPart' }),
        }),
      );
      expect(events.at(-1)).toMatchObject({
        type: 'TaskStatusUpdateEvent',
        status: { state: 'completed' },
        final: true,
      });
    });

    it.each([
      ['tasks/sendSubscribe', said('echo: hi')],
      ['message/stream', { message: { ...said('echo: hi').message, messageId: 'b-1' } }],
      ['SendStreamingMessage', { message: { messageId: 'b-2', role: 'ROLE_USER', parts: [{ text: 'echo: hi' }] } }],
    ])('streams them for a request of %s', async (method, params) => {
      const events = (await bare({ jsonrpc: '2.0', id: 1, method, params })).map(({ data }) => data);
      expect(events.at(-1)).toMatchObject({
        type: 'TaskStatusUpdateEvent',
        status: { state: 'completed' },
        final: true,
      });
    });

    it('follows a task', async () => {
      await call('tasks/send', { id: 'followed', ...said('ask: go on?') });
      const following = bare({ id: 'followed' });
      await call('tasks/send', { id: 'followed', ...said('echo: done') });
      expect((await following).at(-1)?.data).toMatchObject({
        id: 'followed',
        status: { state: 'completed' },
        final: true,
      });
    });

    it.each([
      [
        'a method that does not stream',
        { jsonrpc: '2.0', id: 7, method: 'tasks/send', params: said('echo: x') },
        7,
        -32600,
      ],
      ['an unknown method', { jsonrpc: '2.0', id: 7, method: 'no/such' }, 7, -32601],
      ['a batch', [{ jsonrpc: '2.0', id: 7, method: 'message/stream' }], null, -32600],
      ['the field names of the predecessor', { operation: 'event.subscribe', payload: {} }, null, -32600],
      ['params without a message', {}, null, -32602],
      ['an unknown task', { id: 'no such task' }, null, -32001],
      ['a body that is no JSON', '{', null, -32700],
    ])('refuses %s with a plain answer', async (_what, body, id, code) => {
      const response = await fetch(`${server.url}/a2a/stream`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}` },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id, error: { code } });
    });

    it('has the same guards as the endpoint', async () => {
      const post = (headers: Record<string, string>) =>
        fetch(`${server.url}/a2a/stream`, { method: 'POST', headers, body: JSON.stringify(said('echo: x')) });
      const json = { 'content-type': 'application/json' };
      const authorization = `Bearer ${server.token}`;
      expect((await post(json)).status).toBe(401);
      expect((await post({ ...json, authorization, 'x-forwarded-for': '203.0.113.9' })).status).toBe(403);
      expect((await post({ authorization, 'content-type': 'text/plain' })).status).toBe(415);
      const unsupported = await post({ ...json, authorization, 'a2a-version': '7.0' });
      expect(await unsupported.json()).toMatchObject({ error: { code: -32009 } });
      expect((await server.get('/a2a/stream')).status).toBe(405);
    });
  });
});

function framesIn(text: string): Frame[] {
  return text
    .split('\n\n')
    .map((block) => block.split('\n').filter((line) => !line.startsWith(':')))
    .filter((lines) => lines.some((line) => line.startsWith('data: ')))
    .map((lines) => ({
      id: lines.find((line) => line.startsWith('id: '))?.slice('id: '.length),
      data: JSON.parse(lines.find((line) => line.startsWith('data: '))?.slice('data: '.length) ?? '') as Frame['data'],
    }));
}
