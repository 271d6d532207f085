import type { ListTasksResponse, Task } from '@cleveragents/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AT_ONCE, callOf, saying, STRANGER, TaskPlatform } from './task-platform.fixture.js';

let platform: TaskPlatform;

beforeAll(async () => {
  platform = await TaskPlatform.start();
});

afterAll(() => platform.stop());

const V1 = { versionHeader: '1.0' };

async function listed(params: object, context = callOf()): Promise<ListTasksResponse> {
  return JSON.parse((await platform.tasks.list(params, context)).text) as ListTasksResponse;
}

async function pages(params: object, onPage: (page: ListTasksResponse) => Promise<void> = async () => undefined) {
  const ids: string[] = [];
  let pageToken = '';
  do {
    const page = await listed({ ...params, pageToken });
    ids.push(...page.tasks.map(({ id }) => id));
    pageToken = page.nextPageToken;
    await onPage(page);
  } while (pageToken !== '');
  return ids;
}

async function made(contextId: string, count: number): Promise<string[]> {
  const sends = Array.from({ length: count }, (_, index) => platform.send(saying(`echo: ${index}`, { contextId })));
  return (await Promise.all(sends)).map(({ id }) => id);
}

describe('a list of tasks', () => {
  it('shows the newest status first, with history and without artifacts unless asked for', async () => {
    const [first = '', second = ''] = await made('order', 2);
    await platform.query("UPDATE task SET status_at = status_at - interval '1 hour' WHERE id = $1", [second]);
    const { tasks, totalSize, pageSize, nextPageToken } = await listed({ contextId: 'order' });
    expect(tasks.map(({ id }) => id)).toEqual([first, second]);
    expect([totalSize, pageSize, nextPageToken]).toEqual([2, 50, '']);
    expect(tasks[0]?.history).toHaveLength(1);
    expect(tasks[0]?.artifacts).toBeUndefined();
    const whole = await listed({ contextId: 'order', includeArtifacts: true, historyLength: 0 });
    expect(whole.tasks[0]?.artifacts).toHaveLength(1);
    expect(whole.tasks[0]?.history).toBeUndefined();
  });

  it('comes in pages without gap or repeat, also where many tasks share one moment', async () => {
    const ids = await made('moment', 25);
    await platform.query("UPDATE task SET status_at = '2026-01-02T03:04:05.678901Z' WHERE context_id = 'moment'");
    const seen = await pages({ contextId: 'moment', pageSize: 4 });
    expect(seen).toHaveLength(25);
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  it('loses no task when others go or come between its pages', async () => {
    const ids = await made('gone', 12);
    const gone: string[] = [];
    const seen = await pages({ contextId: 'gone', pageSize: 3 }, async ({ tasks }) => {
      const last = tasks.at(-1)?.id ?? '';
      gone.push(last);
      await platform.query('DELETE FROM task WHERE id = $1', [last]);
      await made('gone', 1);
    });
    expect(seen.toSorted()).toEqual(ids.toSorted());
    expect(gone).toHaveLength(4);
  });

  it('counts what the filters leave, and finds by state and by time', async () => {
    const [first = ''] = await made('filter', 3);
    await platform.send(saying('ask: q?', { contextId: 'filter' }));
    await platform.query("UPDATE task SET status_at = status_at - interval '1 day' WHERE id = $1", [first]);
    const waiting = await listed({ contextId: 'filter', status: 'TASK_STATE_INPUT_REQUIRED' });
    expect([waiting.tasks.length, waiting.totalSize]).toEqual([1, 1]);
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
    expect((await listed({ contextId: 'filter', statusTimestampAfter: anHourAgo })).totalSize).toBe(3);
    for (const long of ['0000-01-01T00:00:00Z', '1970-01-01T00:00:00+14:00']) {
      expect((await listed({ contextId: 'filter', statusTimestampAfter: long })).totalSize).toBe(4);
    }
  });

  it('holds the own tasks of the caller only, or those of a namespace that the caller may see', async () => {
    await platform.send(saying('echo: x', { contextId: 'theirs' }), callOf({ principal: STRANGER }));
    expect((await listed({ contextId: 'theirs' })).tasks).toEqual([]);
    expect((await listed({ contextId: 'theirs', tenant: 'stranger' })).totalSize).toBe(1);
    const hidden = await platform.rpc('ListTasks', { tenant: 'local' }, { ...V1, identity: STRANGER });
    expect(hidden.error).toMatchObject({ code: -32001 });
    expect((await listed({}, callOf({ principal: STRANGER }))).totalSize).toBe(1);
  });

  it('refuses a page token of another filter, of another caller and of nobody', async () => {
    await made('token', 3);
    const { nextPageToken: pageToken } = await listed({ contextId: 'token', pageSize: 1 });
    const refused = [
      platform.rpc('ListTasks', { contextId: 'other', pageToken }, V1),
      platform.rpc('ListTasks', { contextId: 'token', pageToken }, { ...V1, identity: STRANGER }),
      platform.rpc('ListTasks', { contextId: 'token', pageToken: 'made up' }, V1),
    ];
    for (const { error } of await Promise.all(refused)) {
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('pageToken') as string });
    }
    const allowed = await platform.rpc<ListTasksResponse>(
      'ListTasks',
      { contextId: 'token', pageToken, pageSize: 2 },
      V1,
    );
    expect(allowed.result?.tasks).toHaveLength(2);
  });

  it.each([
    { pageSize: 0 },
    { pageSize: 101 },
    { status: 'done' },
    { statusTimestampAfter: 'yesterday' },
    { statusTimestampAfter: '2026-W01-1' },
    { statusTimestampAfter: '2026-13-01T00:00:00Z' },
    { contextId: 'a\0b' },
    { tenant: '\u001F' },
    { tenant: 'a'.repeat(65) },
    { metadata: { namespace: 7 } },
    { metadata: { namespace: '' } },
    { contextId: '\ud800' },
  ])('refuses %j', async (params) => {
    expect((await platform.rpc('ListTasks', params, V1)).error).toMatchObject({ code: -32602 });
  });
});

describe('a task of somebody else', () => {
  it('is answered exactly like one that does not exist', async () => {
    const { id } = await platform.send(saying('ask: q?'));
    const unknown = '00000000-0000-8000-8000-000000000000';
    for (const method of ['GetTask', 'CancelTask', 'tasks/get', 'tasks/cancel']) {
      const caller = { identity: STRANGER, correlationId: 'c', ...(method.includes('/') ? {} : V1) };
      const foreign = JSON.stringify(await platform.rpc(method, { id }, caller));
      expect(foreign).toContain('-32001');
      expect(foreign.replaceAll(id, unknown)).toBe(JSON.stringify(await platform.rpc(method, { id: unknown }, caller)));
    }
    expect((await platform.get(id)).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  });
});

describe('R20: a cancel', () => {
  const inState: Record<string, () => Promise<Task>> = {
    completed: () => platform.send(saying('echo: x')),
    failed: () => platform.send(saying('throw-now')),
    rejected: () => platform.send(saying('x', { messageId: 'tck-reject-task-1' })),
    'input-required': () => platform.send(saying('ask: q?')),
    'auth-required': () => platform.send(saying('auth: q?')),
    working: () => platform.send(saying('slow: 60000', {}, AT_ONCE)),
  };
  const task = (state: string) => inState[state]?.() ?? expect.fail(state);

  it.each(['completed', 'failed', 'rejected'])('of a %s task is refused and changes nothing', async (state) => {
    const { id } = await task(state);
    const before = await platform.get(id);
    expect((await platform.rpc('tasks/cancel', { id })).error).toMatchObject({ code: -32002 });
    expect((await platform.rpc('CancelTask', { id }, V1)).error).toMatchObject({ code: -32002 });
    expect(await platform.get(id)).toEqual(before);
  });

  it.each(['input-required', 'auth-required', 'working'])('of a %s task cancels it, once', async (state) => {
    const { id } = await task(state);
    const first = await platform.rpc('tasks/cancel', { id });
    expect(first.result?.status.state).toBe('canceled');
    expect((await platform.rpc('tasks/cancel', { id })).error).toMatchObject({ code: -32002 });
    const again = await platform.rpc('CancelTask', { id }, V1);
    expect(again.result?.status).toEqual({ state: 'TASK_STATE_CANCELED', timestamp: first.result?.status.timestamp });
    const reasons = await platform.query("SELECT details FROM audit WHERE task_id = $1 AND details LIKE '%canceled%'", [
      id,
    ]);
    expect(reasons).toHaveLength(1);
  });

  it('that many send at once is carried out once, and all of them are told so', async () => {
    for (const state of ['working', 'input-required']) {
      const { id } = await task(state);
      const answers = await Promise.all(Array.from({ length: 8 }, () => platform.rpc('CancelTask', { id }, V1)));
      expect(new Set(answers.map(({ result }) => JSON.stringify(result?.status))).size).toBe(1);
      expect(answers[0]?.result?.status.state).toBe('TASK_STATE_CANCELED');
      const [row] = await platform.query<{ last_seq: number }>('SELECT last_seq FROM task WHERE id = $1', [id]);
      expect(row?.last_seq).toBe(3);
    }
  });

  it('without an id is refused', async () => {
    expect((await platform.rpc('tasks/cancel', {})).error).toMatchObject({ code: -32602 });
  });

  it('of a task whose next turn comes in at the same moment ends in one of the two orders', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id } = await task('input-required');
      const turn = platform.rpc('SendMessage', saying('echo: x', { taskId: id }), V1);
      const cancel = platform.rpc('CancelTask', { id }, V1);
      const [{ error: turnError }, { error: cancelError }] = await Promise.all([turn, cancel]);
      for (const error of [turnError, cancelError]) expect([undefined, -32002, -32004]).toContain(error?.code);
      const rows = await platform.query<{ frames: string }>('SELECT frames FROM task_event WHERE task_id = $1', [id]);
      const ends = rows.flatMap(({ frames }) => frames.match(/"state":"TASK_STATE_(?:CANCELED|COMPLETED)"/g) ?? []);
      expect(ends).toHaveLength(1);
      await platform.live.find(id)?.rested();
    }
  });
});
