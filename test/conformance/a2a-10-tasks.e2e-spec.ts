import { randomUUID } from 'node:crypto';
import type { ListTasksResponse, Task } from '@cleveragents/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentUnderTest } from './agent-under-test.js';
import { Client10, errorInfo, kitMessage } from './client-10.js';

let agent: AgentUnderTest;
let client: Client10;

beforeAll(async () => {
  agent = await AgentUnderTest.start();
  client = new Client10(agent);
});

afterAll(() => agent.stop());

const list = (params: object) => client.result<ListTasksResponse>('ListTasks', params);

describe('A2A 1.0 §3.1.3 Get Task', () => {
  it('answers the bare task with its artifacts', async () => {
    const sent = await client.send(kitMessage('artifact-text'));
    expect(await client.task(sent.id)).toEqual(sent);
  });

  it('shows the state of a task while it works', async () => {
    const { id } = await client.working();
    await expect.poll(async () => (await client.task(id)).status.state).toBe('TASK_STATE_WORKING');
    await client.cancel(id);
  });

  it('MUST answer TaskNotFoundError for a task that does not exist', async () => {
    const error = await client.error('GetTask', { id: randomUUID() });
    expect(error.code).toBe(-32001);
    expect(errorInfo(error)).toMatchObject({ reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' });
  });

  it.each([{}, { id: '' }, { id: 7 }, { id: null }])('refuses the params %j', async (params) => {
    expect((await client.error('GetTask', params)).code).toBe(-32602);
  });
});

describe('A2A 1.0 §3.1.4 List Tasks', () => {
  const contextId = randomUUID();
  let tasks: Task[];

  beforeAll(async () => {
    tasks = [];
    for (const behaviour of ['artifact-text', 'input-required', 'complete-task', 'reject-task', 'artifact-data']) {
      tasks.push(await client.send(kitMessage(behaviour, { contextId })));
    }
  });

  it('MUST be sorted by status timestamp, newest first', async () => {
    const page = await list({ contextId });
    const times = page.tasks.map(({ status }) => status.timestamp);
    expect(times).toEqual([...times].sort().reverse());
    expect(page.tasks).toHaveLength(5);
  });

  it('puts a task on top that has just changed', async () => {
    const other = randomUUID();
    const first = await client.send(kitMessage('input-required', { contextId: other }));
    await client.send(kitMessage('complete-task', { contextId: other }));
    await client.send(kitMessage('complete-task', { contextId: other, taskId: first.id }));
    expect((await list({ contextId: other })).tasks[0]?.id).toBe(first.id);
  });

  it('MUST leave artifacts out unless they are asked for, not even as an empty list', async () => {
    for (const params of [{ contextId }, { contextId, includeArtifacts: false }]) {
      for (const task of (await list(params)).tasks) expect(task).not.toHaveProperty('artifacts');
    }
  });

  it('shows artifacts with includeArtifacts', async () => {
    const page = await list({ contextId, includeArtifacts: true });
    const texts = page.tasks.find(({ id }) => id === tasks[0]?.id)?.artifacts;
    expect(texts).toEqual(tasks[0]?.artifacts);
  });

  it('MUST have a nextPageToken that is empty on the last page', async () => {
    expect(await list({ contextId })).toMatchObject({ nextPageToken: '', pageSize: 50, totalSize: 5 });
  });

  it('MUST page by cursor: every task once, in order, with the total on each page', async () => {
    const whole = (await list({ contextId })).tasks.map(({ id }) => id);
    const seen: string[] = [];
    let pageToken = '';
    do {
      const page = await list({ contextId, pageSize: 2, pageToken });
      expect(page).toMatchObject({ pageSize: 2, totalSize: 5 });
      seen.push(...page.tasks.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(seen).toEqual(whole);
  });

  it('gives no token where the last page is exactly full', async () => {
    expect((await list({ contextId, pageSize: 5 })).nextPageToken).toBe('');
  });

  it('filters by state', async () => {
    const page = await list({ contextId, status: 'TASK_STATE_REJECTED' });
    expect(page.tasks.map(({ id }) => id)).toEqual([tasks[3]?.id]);
    expect(page.totalSize).toBe(1);
    expect((await list({ contextId, status: 'TASK_STATE_UNSPECIFIED' })).totalSize).toBe(5);
  });

  it('filters by the time of the status, which counts itself', async () => {
    const statusTimestampAfter = tasks[3]?.status.timestamp;
    const { tasks: newer } = await list({ contextId, statusTimestampAfter });
    expect(newer.map(({ id }) => id)).toEqual(expect.arrayContaining([tasks[3]?.id, tasks[4]?.id]));
    for (const { status } of newer) expect(status.timestamp >= (statusTimestampAfter ?? '')).toBe(true);
    expect((await list({ contextId, statusTimestampAfter: '2999-01-01T00:00:00Z' })).totalSize).toBe(0);
  });

  it('filters by a context that nobody has', async () => {
    expect(await list({ contextId: randomUUID() })).toEqual({
      tasks: [],
      nextPageToken: '',
      pageSize: 50,
      totalSize: 0,
    });
  });

  it('limits the history of each task', async () => {
    for (const task of (await list({ contextId, historyLength: 0 })).tasks) expect(task).not.toHaveProperty('history');
    for (const { history = [] } of (await list({ contextId, historyLength: 1 })).tasks) {
      expect(history).toHaveLength(1);
    }
  });

  it.each([
    { pageSize: 0 },
    { pageSize: -1 },
    { pageSize: 101 },
    { pageSize: 1.5 },
    { pageSize: '10' },
    { status: 'TASK_STATE_RUNNING' },
    { status: 3 },
    { pageToken: 'not-a-token' },
    { statusTimestampAfter: 'yesterday' },
    { includeArtifacts: 'yes' },
  ])('refuses %j', async (params) => {
    expect((await client.error('ListTasks', params)).code).toBe(-32602);
  });

  it.each([{ pageSize: 1 }, { pageSize: 100 }])('takes %j', async (params) => {
    expect(await list({ contextId, ...params })).toMatchObject(params);
  });

  it('refuses the token of another list', async () => {
    const { nextPageToken } = await list({ contextId, pageSize: 1 });
    const params = { contextId: randomUUID(), pageToken: nextPageToken };
    expect((await client.error('ListTasks', params)).code).toBe(-32602);
  });
});

describe('A2A 1.0 §3.1.5 Cancel Task', () => {
  it('answers the canceled task', async () => {
    const { id } = await client.working();
    const canceled = await client.cancel(id);
    expect(canceled.status.state).toBe('TASK_STATE_CANCELED');
    expect(await client.task(id)).toEqual(canceled);
  });

  it.each(['ask: which?', 'auth: log in'])('cancels a task that waits (%s)', async (text) => {
    const { id } = await client.send({ parts: [{ text }] });
    expect((await client.cancel(id)).status.state).toBe('TASK_STATE_CANCELED');
  });

  it('MUST answer TaskNotFoundError for a task that does not exist', async () => {
    const error = await client.error('CancelTask', { id: randomUUID() });
    expect(error.code).toBe(-32001);
    expect(errorInfo(error).reason).toBe('TASK_NOT_FOUND');
  });

  it.each(['complete-task', 'reject-task'])('MUST answer TaskNotCancelableError after %s', async (behaviour) => {
    const over = await client.send(kitMessage(behaviour));
    const error = await client.error('CancelTask', { id: over.id });
    expect(error.code).toBe(-32002);
    expect(errorInfo(error).reason).toBe('TASK_NOT_CANCELABLE');
    expect(await client.task(over.id)).toEqual(over);
  });

  it('MUST answer TaskNotCancelableError after a failure', async () => {
    const { id } = await client.send({ parts: [{ text: 'throw-now' }] });
    expect((await client.error('CancelTask', { id })).code).toBe(-32002);
  });

  it('§3.3.1 is idempotent: a second cancel answers the same task', async () => {
    const { id } = await client.working();
    const canceled = await client.cancel(id);
    expect(await client.cancel(id)).toEqual(canceled);
  });

  it('refuses params without an id', async () => {
    expect((await client.error('CancelTask', {})).code).toBe(-32602);
  });

  it('takes metadata', async () => {
    const { id } = await client.working();
    const canceled = await client.result<Task>('CancelTask', { id, metadata: { why: 'changed my mind' } });
    expect(canceled.status.state).toBe('TASK_STATE_CANCELED');
  });
});
