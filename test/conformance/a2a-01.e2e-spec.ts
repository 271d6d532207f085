import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentUnderTest } from './agent-under-test.js';
import { expectResult01 } from './shapes-01.js';

interface Task {
  readonly id: string;
  readonly sessionId: string;
  readonly status: { readonly state: string; readonly message?: unknown };
  readonly artifacts?: readonly { readonly index: number; readonly parts: unknown }[];
  readonly history?: readonly unknown[];
}

interface Element {
  readonly id: string;
  readonly status?: Task['status'];
  readonly final?: boolean;
  readonly artifact?: { readonly index: number; readonly append?: boolean; readonly lastChunk?: boolean };
}

let agent: AgentUnderTest;

beforeAll(async () => {
  agent = await AgentUnderTest.start();
});

afterAll(() => agent.stop());

async function result<T = Task>(method: string, params: object): Promise<T> {
  const answer = await agent.call(method, params);
  expect(answer.error).toBeUndefined();
  expectResult01(method, answer.result);
  return answer.result as T;
}

async function elements(method: string, params: object): Promise<Element[]> {
  const events = await (await agent.open(method, params)).rest();
  return events.map(({ answer }) => {
    expectResult01(method, answer.result);
    return answer.result as Element;
  });
}

const saying = (text: string, rest: object = {}): { id: string; message: object } => ({
  id: `task-${randomUUID()}`,
  message: { role: 'user', parts: [{ type: 'text', text }] },
  ...rest,
});

describe('A2A 0.1 tasks/send', () => {
  it('makes the task that the client has named, in its session', async () => {
    const params = saying('echo: hi', { sessionId: 'session-1' });
    const task = await result('tasks/send', params);
    expect(task).toMatchObject({ id: params.id, sessionId: 'session-1', status: { state: 'completed' } });
    expect(task.artifacts).toEqual([{ name: 'result', index: 0, parts: [{ type: 'text', text: 'hi' }] }]);
  });

  it('goes on with the task of that name', async () => {
    const asked = saying('ask: which?');
    expect((await result('tasks/send', asked)).status.state).toBe('input-required');
    const done = await result('tasks/send', { ...saying('echo: this'), id: asked.id, historyLength: 10 });
    expect(done).toMatchObject({ id: asked.id, status: { state: 'completed' } });
    expect(done.history).toHaveLength(3);
  });

  it.each([
    ['text', { type: 'text', text: 'grüße' }],
    ['a file', { type: 'file', file: { bytes: 'AAEC', name: 'a.bin', mimeType: 'application/octet-stream' } }],
    ['data', { type: 'data', data: { a: [1, null] } }],
  ])('gives a part with %s back as it went out', async (_what, part) => {
    const message = { role: 'user', parts: [{ type: 'text', text: 'ask: ok?' }, part], metadata: { a: 1 } };
    const { history } = await result('tasks/send', { id: randomUUID(), message, historyLength: 10 });
    expect(history?.[0]).toEqual(message);
  });

  it('has two states fewer: what waits for credentials waits, what is rejected has failed', async () => {
    expect((await result('tasks/send', saying('auth: log in'))).status.state).toBe('input-required');
    const message = { messageId: 'tck-reject-task', role: 'user', parts: [{ type: 'text', text: 'x' }] };
    expect((await result('tasks/send', { id: randomUUID(), message })).status.state).toBe('failed');
  });

  it.each([
    ['no message', { id: 'x' }],
    ['a message without parts', { id: 'x', message: { role: 'user', parts: [] } }],
    ['an id that is a number', { id: 5, message: { role: 'user', parts: [{ type: 'text', text: 'x' }] } }],
  ])('answers invalid params to %s', async (_what, params) => {
    expect((await agent.call('tasks/send', params)).error?.code).toBe(-32602);
  });
});

describe('A2A 0.1 tasks/get and tasks/cancel', () => {
  it('answer in 0.1 about a task that was made there', async () => {
    const { id } = await result('tasks/send', saying('echo: hi'));
    expect((await result('tasks/get', { id })).status.state).toBe('completed');
    expect((await agent.call('tasks/cancel', { id })).error?.code).toBe(-32002);
  });

  it('cancel a task that waits', async () => {
    const { id } = await result('tasks/send', saying('ask: which?'));
    expect((await result('tasks/cancel', { id })).status.state).toBe('canceled');
  });

  it.each(['tasks/get', 'tasks/cancel', 'tasks/resubscribe'])('%s answers task not found', async (method) => {
    const { error } = await agent.call(method, { id: 'nothing' }, { 'A2A-Version': '0.1' });
    expect(error?.code).toBe(-32001);
  });
});

describe('A2A 0.1 tasks/sendSubscribe and tasks/resubscribe', () => {
  it('streams updates only, the last one final', async () => {
    const params = saying('chunks: a|b every 10');
    const seen = await elements('tasks/sendSubscribe', params);
    expect(new Set(seen.map(({ id }) => id))).toEqual(new Set([params.id]));
    expect(seen.flatMap(({ artifact }) => (artifact === undefined ? [] : [artifact.append]))).toEqual([false, true]);
    expect(seen.at(-1)).toMatchObject({ status: { state: 'completed' }, final: true });
    for (const { final = false } of seen.slice(0, -1)) expect(final).toBe(false);
  });

  it('resumes a task under the name of its client', async () => {
    const params = saying('chunks: a|b|c every 100');
    const broken = await agent.open('tasks/sendSubscribe', params);
    await broken.take();
    broken.leave();
    const seen = await elements('tasks/resubscribe', { id: params.id });
    expect(seen.at(-1)).toMatchObject({ id: params.id, status: { state: 'completed' }, final: true });
  });
});

describe('A2A 0.1 tasks/pushNotification', () => {
  it('keeps the one webhook of a task', async () => {
    const { id } = await result('tasks/send', saying('ask: which?'));
    const pushNotificationConfig = { url: 'http://127.0.0.1:9/hook' };
    const config = await result('tasks/pushNotification/set', { id, pushNotificationConfig });
    expect(config).toEqual({ id, pushNotificationConfig });
    expect(await result('tasks/pushNotification/get', { id })).toEqual(config);
  });
});
