import { randomUUID } from 'node:crypto';
import type { Message, Task } from '@cleveragents/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentUnderTest } from './agent-under-test.js';
import { Client10, errorInfo, kitMessage, messageOf } from './client-10.js';

let agent: AgentUnderTest;
let client: Client10;

beforeAll(async () => {
  agent = await AgentUnderTest.start();
  client = new Client10(agent);
});

afterAll(() => agent.stop());

const ask = () => client.send(kitMessage('input-required'));
const complete = () => client.send(kitMessage('complete-task'));
const AT_ONCE = { returnImmediately: true };

describe('A2A 1.0 §3.1.1 Send Message', () => {
  it('MUST answer with task information', async () => {
    const task = await complete();
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(await client.task(task.id)).toEqual(task);
  });

  it('MAY answer with a direct message, which leaves no task', async () => {
    const message = kitMessage('message-response', { contextId: randomUUID() });
    const answer = await client.result<{ message: Message }>('SendMessage', { message });
    expect(Object.keys(answer)).toEqual(['message']);
    expect(answer.message.role).toBe('ROLE_AGENT');
    expect(answer.message.contextId).toBe(message.contextId);
    const list = await client.result<{ totalSize: number }>('ListTasks', { contextId: message.contextId });
    expect(list.totalSize).toBe(0);
  });

  it('MUST answer UnsupportedOperationError to a message for a task that is over', async () => {
    const over = [complete(), client.send(kitMessage('reject-task')), canceled()];
    for (const { id } of await Promise.all(over)) {
      const error = await client.error('SendMessage', { message: messageOf({ taskId: id }) });
      expect(error.code).toBe(-32004);
      expect(errorInfo(error).reason).toBe('UNSUPPORTED_OPERATION');
    }
  });

  it('MUST answer TaskNotFoundError to a message for a task that does not exist, and create nothing', async () => {
    const contextId = randomUUID();
    const error = await client.error('SendMessage', { message: messageOf({ taskId: randomUUID(), contextId }) });
    expect(error.code).toBe(-32001);
    expect(await client.result('ListTasks', { contextId })).toMatchObject({ totalSize: 0 });
  });

  it('MAY go on with the processing after the answer', async () => {
    const { id } = await client.send({ parts: [{ text: 'slow: 50' }] }, AT_ONCE);
    await expect.poll(async () => (await client.task(id)).status.state).toBe('TASK_STATE_COMPLETED');
  });
});

async function canceled(): Promise<Task> {
  const { id } = await client.working();
  return client.cancel(id);
}

describe('A2A 1.0 §3.2.2 Send Message Configuration', () => {
  it('MUST block by default until the task is over, and show its artifacts', async () => {
    const task = await client.send({ parts: [{ text: 'chunks: a|b every 20' }] });
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(task.artifacts).toEqual([{ artifactId: 'a1', name: 'result', parts: [{ text: 'a' }, { text: 'b' }] }]);
  });

  it('MUST block with returnImmediately: false as well', async () => {
    const task = await client.send({ parts: [{ text: 'slow: 20' }] }, { returnImmediately: false });
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it.each([
    ['TASK_STATE_INPUT_REQUIRED', 'ask: which?'],
    ['TASK_STATE_AUTH_REQUIRED', 'auth: log in'],
  ])('MUST end the wait at the interrupted state %s', async (state, text) => {
    const { status } = await client.send({ parts: [{ text }] });
    expect(status.state).toBe(state);
  });

  it('MUST answer at once with returnImmediately: true, while the task is in progress', async () => {
    const { id, status } = await client.working();
    expect(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']).toContain(status.state);
    await client.cancel(id);
  });

  it('has no effect with returnImmediately on a direct message', async () => {
    const params = { message: kitMessage('message-response'), configuration: AT_ONCE };
    expect(Object.keys(await client.result<object>('SendMessage', params))).toEqual(['message']);
  });

  it('takes acceptedOutputModes', async () => {
    const { status } = await client.send(kitMessage('complete-task'), { acceptedOutputModes: ['text/plain'] });
    expect(status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('A2A 1.0 §3.2.4 History Length Semantics', () => {
  let task: Task;

  beforeAll(async () => {
    task = await ask();
    for (let turn = 0; turn < 2; turn += 1) await client.send(kitMessage('input-required', { taskId: task.id }));
  });

  it('answers the default amount of history when unset', async () => {
    const { history = [] } = await client.task(task.id);
    expect(history.filter(({ role }) => role === 'ROLE_USER')).toHaveLength(3);
  });

  it('SHOULD leave history out for 0', async () => {
    expect(await client.task(task.id, { historyLength: 0 })).not.toHaveProperty('history');
  });

  it.each([1, 2, 3])('answers at most the %i most recent messages, oldest first', async (historyLength) => {
    const { history: all = [] } = await client.task(task.id);
    const { history } = await client.task(task.id, { historyLength });
    expect(history).toEqual(all.slice(-historyLength));
  });

  it('answers all there is where more is asked for', async () => {
    expect(await client.task(task.id, { historyLength: 1000 })).toEqual(await client.task(task.id));
  });

  it('holds for the answer to a message, too', async () => {
    const message = kitMessage('input-required', { taskId: task.id });
    expect(await client.send(message, { historyLength: 0 })).not.toHaveProperty('history');
    const { history = [] } = await client.send(kitMessage('input-required', { taskId: task.id }), { historyLength: 1 });
    expect(history).toHaveLength(1);
  });

  it.each([-1, 1.5, '2'])('refuses %j as invalid', async (historyLength) => {
    for (const [operation, params] of [
      ['GetTask', { id: task.id, historyLength }],
      ['ListTasks', { historyLength }],
      ['SendMessage', { message: messageOf(), configuration: { historyLength } }],
    ] as const) {
      expect((await client.error(operation, params)).code).toBe(-32602);
    }
  });
});

describe('A2A 1.0 §3.4.1 Context Identifier Semantics', () => {
  it('MUST show the contextId that the server has made', async () => {
    const { contextId } = await complete();
    expect(contextId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('makes another one for every conversation', async () => {
    const [first, second] = await Promise.all([complete(), complete()]);
    expect(first.contextId).not.toBe(second.contextId);
  });

  it('MAY keep a contextId that the client chose', async () => {
    const contextId = `conversation ${randomUUID()}`;
    expect((await client.send(kitMessage('complete-task', { contextId }))).contextId).toBe(contextId);
  });

  it('groups tasks of one context', async () => {
    const contextId = randomUUID();
    const sent = [await client.send(kitMessage('a', { contextId })), await client.send(kitMessage('b', { contextId }))];
    const { tasks } = await client.result<{ tasks: Task[] }>('ListTasks', { contextId });
    expect(tasks.map(({ id }) => id).sort()).toEqual(sent.map(({ id }) => id).sort());
  });
});

describe('A2A 1.0 §3.4.2 Task Identifier Semantics', () => {
  it('MUST make a unique id for each task and show it', async () => {
    const ids = (await Promise.all([complete(), complete(), complete()])).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  it('does not let clients choose the id of a new task', async () => {
    expect((await client.error('SendMessage', { message: messageOf({ taskId: 'mine' }) })).code).toBe(-32001);
  });
});

describe('A2A 1.0 §3.4.3 Multi-Turn Conversation Patterns', () => {
  it('MUST infer the contextId where only the taskId is given', async () => {
    const { id, contextId } = await ask();
    const done = await client.send(kitMessage('complete-task', { taskId: id }));
    expect(done).toMatchObject({ id, contextId, status: { state: 'TASK_STATE_COMPLETED' } });
  });

  it('continues a task that required input, by its taskId and contextId', async () => {
    const { id, contextId } = await ask();
    const done = await client.send(kitMessage('complete-task', { taskId: id, contextId }));
    expect(done.id).toBe(id);
    const users = done.history?.filter(({ role }) => role === 'ROLE_USER') ?? [];
    expect(users).toHaveLength(2);
  });

  it('MUST reject a contextId that is not the one of the task, and store nothing', async () => {
    const { id } = await ask();
    const before = await client.task(id);
    const error = await client.error('SendMessage', { message: messageOf({ taskId: id, contextId: randomUUID() }) });
    expect(error.code).toBe(-32602);
    expect(await client.task(id)).toEqual(before);
  });

  it('MAY start a new task in a known context', async () => {
    const { id, contextId } = await complete();
    const next = await client.send(kitMessage('complete-task', { contextId, referenceTaskIds: [id] }));
    expect(next.contextId).toBe(contextId);
    expect(next.id).not.toBe(id);
    expect(next.history?.[0]?.referenceTaskIds).toEqual([id]);
  });

  it('takes another question as well as an end', async () => {
    const { id } = await ask();
    const again = await client.send(kitMessage('input-required', { taskId: id }));
    expect(again).toMatchObject({ id, status: { state: 'TASK_STATE_INPUT_REQUIRED' } });
  });

  it('answers a message to a task that works on another one by UnsupportedOperationError', async () => {
    const { id } = await client.working();
    const error = await client.error('SendMessage', { message: messageOf({ taskId: id }) });
    expect(error.code).toBe(-32004);
    expect(errorInfo(error).metadata).toMatchObject({ reason: 'TASK_BUSY' });
    await client.cancel(id);
  });
});

describe('A2A 1.0 §3.7 Messages and Artifacts', () => {
  it('SHOULD return results as artifacts', async () => {
    const task = await client.send(kitMessage('artifact-text'));
    expect(task.artifacts?.flatMap(({ parts }) => parts)).toEqual([{ text: 'Generated text' }]);
    expect(task.status.message).toBeUndefined();
  });

  it('asks for input in the message of the status, which is kept in the history', async () => {
    const { status, history } = await ask();
    expect(status.message?.role).toBe('ROLE_AGENT');
    expect(history?.at(-1)).toEqual(status.message);
  });
});

describe('A2A 1.0 §3.3.1 Idempotency', () => {
  it('MAY take a messageId twice: without de-duplication each message gets its task', async () => {
    const message = kitMessage('complete-task');
    const [first, second] = [await client.send(message), await client.send(message)];
    expect(first.id).not.toBe(second.id);
  });

  it('reads naturally idempotent', async () => {
    const { id } = await complete();
    expect(await client.task(id)).toEqual(await client.task(id));
  });
});
