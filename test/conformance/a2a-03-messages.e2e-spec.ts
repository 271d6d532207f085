import { randomUUID } from 'node:crypto';
import type { Message, Task } from 'a2a-sdk-03';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentUnderTest } from './agent-under-test.js';
import { Client03, kitMessage03, message03 } from './client-03.js';

let agent: AgentUnderTest;
let client: Client03;

beforeAll(async () => {
  agent = await AgentUnderTest.start();
  client = new Client03(agent);
});

afterAll(() => agent.stop());

const ask = () => client.send(kitMessage03('input-required'));

describe('A2A 0.3 §7.1 message/send', () => {
  it('answers the bare task, told apart by its kind', async () => {
    const task = await client.send(kitMessage03('artifact-text'));
    expect(task).toMatchObject({ kind: 'task', status: { state: 'completed' } });
    expect(await client.task(task.id)).toEqual(task);
  });

  it('answers the bare message where the agent does', async () => {
    const answer = await client.result<Message>('message/send', { message: kitMessage03('message-response') });
    expect(answer).toMatchObject({ kind: 'message', role: 'agent' });
  });

  it('waits for the task where blocking is not said, as clients of 0.3 expect', async () => {
    const text = (words: string) => ({ parts: [{ kind: 'text' as const, text: words }] });
    expect((await client.send(text('slow: 30'))).status.state).toBe('completed');
    expect((await client.send(text('slow: 30'), { blocking: true })).status.state).toBe('completed');
    expect((await client.send(text('slow: 30'), {})).status.state).toBe('completed');
  });

  it('answers at once with blocking: false', async () => {
    const { id, status } = await client.working();
    expect(['submitted', 'working']).toContain(status.state);
    await client.cancel(id);
  });

  it('leaves a task of an agent that takes its time in input-required', async () => {
    const { status } = await client.send({});
    expect(status.state).toBe('input-required');
    expect(status.message?.kind).toBe('message');
  });

  it('takes a message without kind, role and parts being enough with its id', async () => {
    const { kind: _kind, ...message } = kitMessage03('complete-task');
    expect((await client.result<Task>('message/send', { message })).status.state).toBe('completed');
  });

  it.each([
    ['no message', {}],
    ['a message without parts', { message: { ...message03(), parts: undefined } }],
    ['a message with empty parts', { message: message03({ parts: [] }) }],
    ['a message without role', { message: { ...message03(), role: undefined } }],
    ['a message with another role', { message: { ...message03(), role: 'system' } }],
    ['a message without messageId', { message: { ...message03(), messageId: undefined } }],
    ['a part of no known content', { message: { ...message03(), parts: [{ kind: 'song' }] } }],
    ['a part without its content', { message: { ...message03(), parts: [{ kind: 'text' }] } }],
    ['a message that is a text', { message: 'hello' }],
    ['a negative historyLength', { message: message03(), configuration: { historyLength: -1 } }],
    ['blocking that is a text', { message: message03(), configuration: { blocking: 'yes' } }],
  ])('§8.1 answers invalid params to %s', async (_what, params) => {
    expect((await client.error('message/send', params)).code).toBe(-32602);
  });

  it('answers an error to a message for a task that is over, which cannot be restarted', async () => {
    const { id } = await client.working();
    await client.cancel(id);
    for (const taskId of [id, (await client.send(kitMessage03('complete-task'))).id]) {
      expect((await client.error('message/send', { message: message03({ taskId }) })).code).toBe(-32004);
    }
  });

  it('answers TaskNotFoundError to a message for a task that does not exist', async () => {
    const error = await client.error('message/send', { message: message03({ taskId: randomUUID() }) });
    expect(error).toMatchObject({ code: -32001, data: { reason: 'TASK_NOT_FOUND' } });
  });
});

describe('A2A 0.3 §6.4, §6.5 Message and Part', () => {
  it.each([
    ['text', 'artifact-text', { kind: 'text', text: 'Generated text' }],
    [
      'a file with bytes',
      'artifact-file',
      { kind: 'file', file: { bytes: 'R2VuZXJhdGVkIGZpbGU=', name: 'output.txt', mimeType: 'text/plain' } },
    ],
    [
      'a file with an address',
      'artifact-file-url',
      { kind: 'file', file: { uri: 'https://example.com/output.txt', name: 'output.txt', mimeType: 'text/plain' } },
    ],
    ['data', 'artifact-data', { kind: 'data', data: { key: 'value', count: 42 } }],
  ])('shows an artifact of %s in the form of 0.3', async (_what, behaviour, part) => {
    const { artifacts } = await client.send(kitMessage03(behaviour));
    expect(artifacts?.map(({ parts }) => parts)).toEqual([[part]]);
  });

  it.each<[string, Message['parts'][number]]>([
    ['text', { kind: 'text', text: 'grüße 🙂', metadata: { lang: 'de' } }],
    ['file bytes', { kind: 'file', file: { bytes: 'AAEC', name: 'a.bin', mimeType: 'application/octet-stream' } }],
    ['a file address', { kind: 'file', file: { uri: 'https://example.com/a', mimeType: 'text/html' } }],
    ['data', { kind: 'data', data: { nested: [1, { deep: null }], flag: false } }],
  ])('§6.5 gives a message with %s back as it went out', async (_what, part) => {
    const { history } = await client.send(kitMessage03('complete-task', { parts: [part] }));
    expect(history?.[0]?.parts).toEqual([part]);
  });

  it('§6.4 keeps all members of a message', async () => {
    const message = kitMessage03('complete-task', {
      metadata: { trace: 'x', list: [1] },
      extensions: ['urn:example:tone'],
      referenceTaskIds: ['other'],
    });
    const { id, contextId, history } = await client.send(message);
    expect(history?.[0]).toEqual({ ...message, taskId: id, contextId });
  });
});

describe('A2A 0.3 §6.1, §7.1 conversations', () => {
  it('continues a task that requires input', async () => {
    const { id, contextId } = await ask();
    const done = await client.send(kitMessage03('complete-task', { taskId: id, contextId }));
    expect(done).toMatchObject({ id, contextId, status: { state: 'completed' } });
    expect(done.history?.filter(({ role }) => role === 'user')).toHaveLength(2);
  });

  it('infers the context from the task', async () => {
    const { id, contextId } = await ask();
    expect((await client.send(kitMessage03('input-required', { taskId: id }))).contextId).toBe(contextId);
  });

  it('starts a new task in a context that is given without a task', async () => {
    const { id, contextId } = await client.send(kitMessage03('complete-task'));
    const next = await client.send(kitMessage03('complete-task', { contextId }));
    expect(next.contextId).toBe(contextId);
    expect(next.id).not.toBe(id);
  });

  it('refuses the context of another task', async () => {
    const [{ id }, { contextId }] = [await ask(), await ask()];
    const message = message03({ taskId: id, contextId });
    expect((await client.error('message/send', { message })).code).toBe(-32602);
  });

  it.each([
    ['submitted or working', { parts: [{ kind: 'text', text: 'slow: 600000' }] }, /^(?:submitted|working)$/],
    ['completed', { messageId: 'tck-complete-task' }, /^completed$/],
    ['rejected', { messageId: 'tck-reject-task' }, /^rejected$/],
    ['input-required', { messageId: 'tck-input-required' }, /^input-required$/],
    ['auth-required', { parts: [{ kind: 'text', text: 'auth: log in' }] }, /^auth-required$/],
    ['failed', { parts: [{ kind: 'text', text: 'throw-now' }] }, /^failed$/],
  ] as [string, Partial<Message>, RegExp][])('§6.3 knows the state %s', async (_state, message, state) => {
    const isEndless = JSON.stringify(message).includes('slow');
    const task = await client.send(message, isEndless ? { blocking: false } : undefined);
    expect(task.status.state).toMatch(state);
    if (isEndless) await client.cancel(task.id);
  });
});

describe('A2A 0.3 §7.3 tasks/get', () => {
  let task: Task;

  beforeAll(async () => {
    task = await ask();
    for (let turn = 0; turn < 2; turn += 1) await client.send(kitMessage03('input-required', { taskId: task.id }));
  });

  it('answers the task with its history', async () => {
    const { history } = await client.task(task.id);
    expect(history?.filter(({ role }) => role === 'user')).toHaveLength(3);
  });

  it.each([1, 2, 4])('§7.3.1 answers the %i most recent messages for historyLength', async (historyLength) => {
    const { history: all = [] } = await client.task(task.id);
    expect((await client.task(task.id, { historyLength })).history).toEqual(all.slice(-historyLength));
  });

  it('§7.3.1 leaves history out for 0', async () => {
    expect(await client.task(task.id, { historyLength: 0 })).not.toHaveProperty('history');
  });

  it.each([-1, 0.5, 'two'])('answers invalid params to the historyLength %j', async (historyLength) => {
    expect((await client.error('tasks/get', { id: task.id, historyLength })).code).toBe(-32602);
  });

  it('takes metadata, and ignores what it does not know', async () => {
    expect((await client.task(task.id, { metadata: { a: 1 }, colour: 'green' })).id).toBe(task.id);
  });

  it('§8.2 answers TaskNotFoundError', async () => {
    const error = await client.error('tasks/get', { id: randomUUID() });
    expect(error).toMatchObject({ code: -32001, data: { reason: 'TASK_NOT_FOUND' } });
  });

  it.each([{}, { id: '' }, { id: 5 }, { taskId: 'x' }])('§8.1 answers invalid params to %j', async (params) => {
    expect((await client.error('tasks/get', params)).code).toBe(-32602);
  });
});

describe('A2A 0.3 §7.4 tasks/cancel', () => {
  it('answers the canceled task', async () => {
    const { id } = await client.working();
    const canceled = await client.cancel(id);
    expect(canceled.status.state).toBe('canceled');
    expect(await client.task(id)).toEqual(canceled);
  });

  it('cancels a task that requires input', async () => {
    expect((await client.cancel((await ask()).id)).status.state).toBe('canceled');
  });

  it.each(['complete-task', 'reject-task'])('answers TaskNotCancelableError after %s', async (behaviour) => {
    const over = await client.send(kitMessage03(behaviour));
    const error = await client.error('tasks/cancel', { id: over.id });
    expect(error).toMatchObject({ code: -32002, data: { reason: 'TASK_NOT_CANCELABLE' } });
    expect(await client.task(over.id)).toEqual(over);
  });

  it('answers TaskNotCancelableError to a second cancel', async () => {
    const { id } = await client.working();
    const canceled = await client.cancel(id);
    expect((await client.error('tasks/cancel', { id })).code).toBe(-32002);
    expect(await client.task(id)).toEqual(canceled);
  });

  it('answers TaskNotFoundError', async () => {
    expect((await client.error('tasks/cancel', { id: randomUUID() })).code).toBe(-32001);
  });

  it('answers invalid params without an id', async () => {
    expect((await client.error('tasks/cancel', {})).code).toBe(-32602);
  });
});

describe("the reference's tasks/list in the form of 0.3", () => {
  it('pages through the tasks of a context', async () => {
    const contextId = randomUUID();
    const ids: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      ids.unshift((await client.send(kitMessage03('artifact-text', { contextId }))).id);
    }
    const page = await client.result<{ tasks: Task[]; nextPageToken: string }>('tasks/list', {
      contextId,
      pageSize: 2,
      status: 'completed',
    });
    const rest = await client.result<{ tasks: Task[]; nextPageToken: string }>('tasks/list', {
      contextId,
      pageSize: 2,
      status: 'completed',
      pageToken: page.nextPageToken,
    });
    const tasks = [...page.tasks, ...rest.tasks];
    expect(tasks.map(({ id }) => id)).toEqual(ids);
    expect(rest.nextPageToken).toBe('');
    for (const task of tasks) expect(task).not.toHaveProperty('artifacts');
  });
});
