import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { StreamedAnswer } from '../conformance/event-stream.js';
import {
  AT_ONCE,
  frameOf,
  ok,
  saying,
  seqOf,
  ServerPair,
  stateOn,
  stream,
  subscribe,
  textOf,
  type Task,
} from './server-pair.js';

const CHUNKS = 'chunks: a|b|c|d|e|f every 100';

let pair: ServerPair;

beforeAll(async () => {
  pair = await ServerPair.create();
});

afterEach(() => pair.stop());
afterAll(() => pair.database.drop());

/** Numbers of events that follow one another. */
function isUnbroken(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number === (numbers[index - 1] ?? 0) + 1);
}

describe('two servers on one database', () => {
  it('R08: start one run for twenty messages that race for one task', async () => {
    const [a, b] = await pair.both();
    const { id } = await ok(a, 'message/send', saying('ask: which?'));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const params = saying('slow: 1500', { taskId: id, messageId: `r-${index}` }, AT_ONCE);
        return (index % 2 === 0 ? a : b).call('message/send', params);
      }),
    );
    expect(answers.flatMap(({ result }) => (result === undefined ? [] : [(result as Task).id]))).toEqual([id]);
    const refusals = answers.flatMap(({ error }) => (error === undefined ? [] : [error]));
    expect(refusals).toHaveLength(19);
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: -32004, data: { reason: 'TASK_BUSY' } });
    await expect.poll(() => stateOn(b, id), { timeout: 10_000 }).toBe('completed');
    expect(await pair.loggedStates(id)).toEqual(['SUBMITTED', 'INPUT_REQUIRED', 'WORKING', 'WORKING', 'COMPLETED']);
    const { history = [] } = await ok(b, 'tasks/get', { id, historyLength: 100 });
    expect(history.filter(({ messageId }) => messageId.startsWith('r-'))).toHaveLength(1);
  });

  it('R10: find and cancel each other’s tasks, and whoever waits for one on either is answered', async () => {
    const [a, b] = await pair.both();
    const { id } = await ok(a, 'message/send', saying('slow: 60000', {}, AT_ONCE));
    expect(await stateOn(b, id)).toMatch(/submitted|working/);
    // The same message again waits for the task that it made; on B that is the task of another server.
    const message = { messageId: 'waited-for' };
    const started = await ok(a, 'message/send', saying('slow: 60000', message, AT_ONCE));
    const waiting = [a, b].map((server) => ok(server, 'message/send', saying('slow: 60000', message, AT_ONCE)));
    expect(new Set((await Promise.all(waiting)).map((task) => task.id))).toEqual(new Set([started.id]));
    expect(await ok(b, 'tasks/cancel', { id })).toMatchObject({ id, status: { state: 'canceled' } });
    for (const server of [a, b]) expect((await server.call('tasks/cancel', { id })).error?.code).toBe(-32002);
    expect(await pair.loggedStates(id)).toEqual(['SUBMITTED', 'WORKING', 'CANCELED']);
    await ok(b, 'tasks/cancel', { id: started.id });
  });

  it('refuse a message to a task that the other one works on, and take it once it rests', async () => {
    const [a, b] = await pair.both();
    const { id } = await ok(a, 'message/send', saying('hello', {}, AT_ONCE));
    const { error } = await b.call('message/send', saying('more', { taskId: id }));
    expect(error).toMatchObject({ code: -32004, data: { reason: 'TASK_BUSY' } });
    await expect.poll(() => stateOn(b, id), { timeout: 10_000 }).toBe('input-required');
    expect(await ok(b, 'message/send', saying('ask: and now?', { taskId: id }))).toMatchObject({ id });
    expect(await ok(a, 'message/send', saying('echo: done', { taskId: id }))).toMatchObject({
      id,
      status: { state: 'completed' },
    });
  });

  it('R16: resume each other’s streams after any event, and take no cursor that is not the task’s', async () => {
    const [a, b] = await pair.both();
    for (const cut of [1, 2, 3, 4, 5, 6, 7]) {
      const first = await stream(a, 'message/stream', saying(CHUNKS));
      const seen: StreamedAnswer[] = [];
      while (seen.length <= cut) seen.push(await first.take());
      first.leave();
      const [task] = seen.map(frameOf);
      const cursor = seen.at(-1)?.cursor;
      const [snapshot, ...following] = await (await subscribe(b, task?.id ?? '', cursor)).rest();
      expect(snapshot?.cursor).toBe(cursor);
      expect(isUnbroken([...seen, ...following].map(seqOf))).toBe(true);
      expect(textOf([...seen, ...following])).toBe('abcdef');
      expect(following.map(frameOf).at(-1)).toMatchObject({ final: true, status: { state: 'completed' } });
    }
    const other = await ok(a, 'message/send', saying('echo: of another task'));
    const { id } = await ok(a, 'message/send', saying(CHUNKS, {}, AT_ONCE));
    const cursors = ['garbage', `${other.id.slice(0, 8)}-2`];
    const streams = await Promise.all(cursors.map((cursor) => subscribe(b, id, cursor)));
    for (const events of await Promise.all(streams.map((resumed) => resumed.rest()))) {
      expect(events.map(frameOf)[0]).toMatchObject({ kind: 'task', id, metadata: { replay: 'snapshot' } });
      expect(textOf(events)).toBe('abcdef');
    }
  });

  it('R18: serve readers of one task alike, while one leaves and the wake-up channel of a server is cut', async () => {
    const [a, b] = await pair.both();
    const { id } = await ok(a, 'message/send', saying('chunks: 1|2|3|4|5|6 every 300', {}, AT_ONCE));
    const [onA, leaving, onB] = [await subscribe(a, id), await subscribe(b, id), await subscribe(b, id)];
    const head = await onB.take();
    await onB.take();
    await cutNewestWakeUp();
    leaving.leave();
    const [all, rest] = await Promise.all([onA.rest(), onB.rest()]);
    const seen = [head, ...rest];
    const common = all.filter((event) => rest.some(({ cursor }) => cursor === event.cursor));
    expect(rest.length).toBeGreaterThan(0);
    expect(common.map(({ answer }) => answer)).toEqual(rest.map(({ answer }) => answer));
    expect(isUnbroken(rest.map(seqOf))).toBe(true);
    expect(seen.map(frameOf).at(-1)).toMatchObject({ final: true, status: { state: 'completed' } });
    expect(all.at(-1)?.cursor).toBe(rest.at(-1)?.cursor);
    expect(await stateOn(b, id)).toBe('completed');
  });

  it('R18: stop a run that is canceled on the other one, and all readers see that last', async () => {
    const [a, b] = await pair.both({ LOG_LEVEL: 'info' });
    const sent = ok(a, 'message/send', saying('slow: 60000', { messageId: 'sent' }));
    await expect.poll(workingTasks).toHaveLength(1);
    const [id = ''] = await workingTasks();
    const joined = ok(b, 'message/send', saying('slow: 60000', { messageId: 'sent' }));
    const readers = [await subscribe(a, id), await subscribe(b, id)];
    await ok(b, 'tasks/cancel', { id });
    for (const reader of readers) {
      const events = await reader.rest();
      expect(events.map(frameOf).at(-1)).toMatchObject({ final: true, status: { state: 'canceled' } });
    }
    expect(await Promise.all([sent, joined])).toMatchObject([{ id, status: { state: 'canceled' } }, { id }]);
    await expect.poll(() => a.log).toContain('A run was stopped');
  });

  async function workingTasks(): Promise<string[]> {
    const rows = await pair.query<{ id: string }>(`SELECT id FROM task WHERE state = 'TASK_STATE_WORKING'`);
    return rows.map(({ id }) => id);
  }

  /** That of the server that was started last. */
  async function cutNewestWakeUp(): Promise<void> {
    await pair.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'cleveragents wake-up' AND datname = current_database()
       ORDER BY backend_start DESC LIMIT 1`,
    );
  }
});
