import type { Task, TaskStatusUpdate } from '@cleveragents/protocol';
import { eventsOfRow } from './domain/task-event.js';
import { TaskReader } from './log/task-reader.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  AT_ONCE,
  callOf,
  HeldAgent,
  saying,
  sayingIn03,
  seqOf,
  STRANGER,
  StreamReader,
  TaskPlatform,
  textOf,
  type Answer,
} from './task-platform.fixture.js';

let platform: TaskPlatform;

beforeAll(async () => {
  platform = await TaskPlatform.start();
});

afterEach(() => {
  expect(platform.bus.observedTasks).toBe(0);
});

afterAll(() => platform.stop());

const V1 = { versionHeader: '1.0' };

function subscribed(id: string, lastEventId: string | null = null, metadata = {}): StreamReader {
  return new StreamReader(platform.streams.subscribe({ id, metadata }, callOf({ lastEventId })));
}

function streamed(text: string, message: object = {}): StreamReader {
  return new StreamReader(platform.messages.stream(saying(text, message), callOf()));
}

const seqsOf = (reader: StreamReader) => reader.events.map(seqOf);
const stateOf = (reader: StreamReader) => reader.events.at(-1)?.value().statusUpdate?.status.state;
const consecutive = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('a stream', () => {
  it('of a message ends when the task waits for input, and stays open for credentials', async () => {
    const asked = streamed('ask: q?');
    await asked.ended;
    expect(asked.events.map(({ isLast }) => isLast)).toEqual([false, true]);
    const id = asked.events[0]?.value().task?.id ?? '';

    const authorising = streamed('auth: who?', { taskId: id });
    await authorising.seen(2);
    expect(stateOf(authorising)).toBe('TASK_STATE_AUTH_REQUIRED');
    await platform.tasks.cancel({ id }, callOf());
    await authorising.ended;
    expect(stateOf(authorising)).toBe('TASK_STATE_CANCELED');
    expect(seqsOf(authorising)).toEqual(consecutive(3, 5));
  });

  it('of a subscriber stays open while the task waits for input', async () => {
    const { id } = await platform.send(saying('ask: q?'));
    const reader = subscribed(id);
    await reader.seen(1);
    await platform.send(saying('ask: again?', { taskId: id }));
    await reader.seen(3);
    expect(stateOf(reader)).toBe('TASK_STATE_INPUT_REQUIRED');
    await platform.send(saying('echo: done', { taskId: id }));
    await reader.ended;
    expect(stateOf(reader)).toBe('TASK_STATE_COMPLETED');
    expect(seqsOf(reader)).toEqual(consecutive(2, 7));
  });

  it('is the same for all of its readers, and one that leaves changes nothing for the others', async () => {
    const source = streamed('chunks: 1|2|3|4|5|6 every 20');
    const [first] = await source.seen(1);
    const id = first?.value().task?.id ?? '';
    const readers = Array.from({ length: 20 }, () => subscribed(id));
    const leaving = subscribed(id);
    await leaving.seen(2);
    leaving.leave();
    await Promise.all([source, ...readers].map(({ ended }) => ended));
    for (const reader of readers) {
      expect(textOf(reader.events)).toBe('123456');
      expect(seqsOf(reader)).toEqual(consecutive(seqsOf(reader)[0] ?? 0, 9));
      expect(reader.events.at(-1)?.text).toBe(source.events.at(-1)?.text);
    }
    expect(leaving.events.length).toBeLessThan(9);
    expect((await platform.rest(id)).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('frees its place at once when the last reader leaves, also before it has begun', async () => {
    const { id } = await platform.send(saying('ask: q?'));
    const [early, late] = [subscribed(id), subscribed(id)];
    early.leave();
    await late.seen(1);
    expect(platform.bus.observedTasks).toBe(1);
    late.leave();
    expect(platform.bus.observedTasks).toBe(0);
    await platform.tasks.cancel({ id }, callOf());
    expect(early.events).toEqual([]);
  });

  it('shows nothing before it is stored', async () => {
    const reader = streamed('chunks: a|b|c every 2');
    const stored: boolean[] = [];
    for (let count = 1; count <= 6; count += 1) {
      const event = (await reader.seen(count))[count - 1];
      const [row] = await platform.query<{ last_seq: number }>('SELECT last_seq FROM task WHERE id = $1', [
        reader.events[0]?.value().task?.id,
      ]);
      stored.push(event !== undefined && (row?.last_seq ?? 0) >= seqOf(event));
    }
    await reader.ended;
    expect(stored).toEqual([true, true, true, true, true, true]);
  });

  it('misses nothing and hangs never when it begins while the task ends', async () => {
    let witnesses = 0;
    for (let round = 0; round < 60; round += 1) {
      const { id } = await platform.send(saying('chunks: a|b|c', {}, AT_ONCE));
      const readers = Array.from({ length: 1 + (round % 4) }, () => subscribed(id));
      for (const reader of readers) {
        const events = await reader.ended.catch(() => null);
        // Either it came too late, and is told so, or it has seen the end.
        if (events === null) continue;
        witnesses += 1;
        expect(stateOf(reader)).toBe('TASK_STATE_COMPLETED');
        expect(textOf(events)).toBe('abc');
        expect(seqsOf(reader)).toEqual(consecutive(seqsOf(reader)[0] ?? 0, 6));
      }
    }
    expect(witnesses).toBeGreaterThan(0);
  });

  it('carries ten thousand chunks', async () => {
    const agent = new HeldAgent('many');
    const busy = await TaskPlatform.start({}, platform.database);
    try {
      busy.host(agent);
      const reader = new StreamReader(busy.messages.stream(saying('many'), callOf()));
      await agent.begun(1);
      const [run] = agent.runs;
      for (let index = 0; index < 10_000; index += 1) {
        const piece = { artifactId: 'a', parts: [{ text: `${index};` }] };
        run?.artifact(piece, { append: index > 0 });
        if (index % 500 === 0) await new Promise(setImmediate);
      }
      agent.end(run?.taskId ?? '');
      const events = await reader.ended;
      expect(seqsOf(reader)).toEqual(consecutive(1, 10_003));
      const text = consecutive(0, 9_999).join(';');
      expect(textOf(events)).toBe(`${text};`);
      const task = await busy.get(run?.taskId ?? '');
      expect(task.artifacts?.[0]?.parts).toHaveLength(10_000);
    } finally {
      await busy.stop();
    }
  });
});

describe('events that are told of in another order than that of their commits', () => {
  it('reach a reader in order, the missing ones from the log', async () => {
    const { id } = await platform.send(saying('ask: q?'));
    const reader = subscribed(id);
    await reader.seen(1);
    const other = await TaskPlatform.start({}, platform.database);
    await other.send(saying('ask: again?', { taskId: id }));
    await other.send(saying('chunks: a|b', { taskId: id }));
    await other.rest(id);
    await other.stop();

    const events = await platform.module.get(TaskReader).eventsAfter(id, 0);
    platform.bus.publish(id, events.slice(3, 5));
    platform.bus.publish(id, events.slice(2, 3));
    await reader.seen(8);
    platform.bus.publish(id, events.slice(5));
    await reader.ended;
    expect(seqsOf(reader)).toEqual(consecutive(2, events.length));
    expect(stateOf(reader)).toBe('TASK_STATE_COMPLETED');
  });

  it('are passed on with their gap where the log keeps no more', async () => {
    const { id } = await platform.send(saying('ask: q?'));
    const reader = subscribed(id);
    await reader.seen(1);
    const later = eventsOfRow(id, 9, '{"artifactUpdate":{}}');
    platform.bus.publish(id, later);
    await reader.seen(2);
    expect(seqsOf(reader)).toEqual([2, 9]);
    reader.leave();
  });
});

describe('R13: a stream that cannot begin', () => {
  const failure = async (method: string, params: object, caller = {}) => {
    const [only, ...rest] = await platform.frames<unknown>(method, params, caller);
    expect(rest).toEqual([]);
    return only?.error;
  };

  it('is refused as a plain answer', async () => {
    const message = { kind: 'message', role: 'user', messageId: 'm' };
    expect(await failure('message/stream', { message })).toMatchObject({ code: -32602 });
    const unknown = { id: '00000000-0000-8000-8000-000000000000' };
    expect(await failure('SubscribeToTask', unknown, V1)).toMatchObject({ code: -32001 });
    expect(await failure('tasks/resubscribe', { id: 'garbage' })).toMatchObject({ code: -32001 });
    const { id } = await platform.send(saying('echo: x'));
    expect(await failure('SubscribeToTask', { id }, V1)).toMatchObject({ code: -32004 });
    expect(await failure('tasks/resubscribe', { id })).toMatchObject({ code: -32004 });
    expect(await failure('SubscribeToTask', { id }, { ...V1, identity: STRANGER })).toMatchObject({ code: -32001 });
  });

  it('because the agent fails to start is the task and its failure', async () => {
    const frames: Answer<Task & TaskStatusUpdate>[] = await platform.frames('message/stream', sayingIn03('failstart'));
    expect(frames).toHaveLength(2);
    expect(frames[0]?.result).toMatchObject({ kind: 'task', status: { state: 'submitted' } });
    expect(frames[1]?.result).toMatchObject({ kind: 'status-update', status: { state: 'failed' }, final: true });
  });
});

describe('R16: a reader that comes back with the last event it has seen', () => {
  const CHUNKS = 'chunks: a|b|c|d|e|f every 10';

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'gets what follows event %i while the task works, and nothing twice',
    async (cut) => {
      const reader = streamed(CHUNKS);
      const seen = (await reader.seen(cut)).slice(0, cut);
      reader.leave();
      const last = seen.at(-1);
      const back = subscribed(seen[0]?.value().task?.id ?? '', last?.cursor ?? null);
      const [snapshot, ...following] = await back.ended;
      expect(snapshot?.cursor).toBe(last?.cursor);
      expect(textOf(snapshot === undefined ? [] : [snapshot])).toBe(textOf(seen));
      expect(snapshot?.value().task?.metadata).toBeUndefined();
      expect(following.map(seqOf)).toEqual(consecutive(cut + 1, 9));
      expect(textOf([...seen, ...following])).toBe('abcdef');
    },
  );

  it('gets the rest of a task that is over by now, also by number', async () => {
    const reader = streamed(CHUNKS);
    await reader.ended;
    const id = reader.events[0]?.value().task?.id ?? '';
    await platform.rest(id);
    for (const back of [subscribed(id, reader.events[3]?.cursor), subscribed(id, null, { afterSeq: 4 })]) {
      const [snapshot, ...following] = await back.ended;
      expect(textOf(snapshot === undefined ? [] : [snapshot])).toBe('ab');
      expect(following.map(({ text }) => text)).toEqual(reader.events.slice(4).map(({ text }) => text));
    }
    await expect(subscribed(id, reader.events.at(-1)?.cursor).ended).rejects.toThrow('The task is completed');
  });

  it('gets a marked snapshot, then what happens, for a cursor that cannot be honoured', async () => {
    const foreign = await platform.send(saying('echo: other'), callOf({ principal: STRANGER }));
    const own = await platform.send(saying('echo: other'));
    const { id } = await platform.send(saying('ask: q?'));
    const pruned = `${id.slice(0, 8)}-1`;
    const cursors = [
      'garbage',
      `${own.id.slice(0, 8)}-2`,
      `${foreign.id.slice(0, 8)}-2`,
      `${id.slice(0, 8)}-99`,
      pruned,
    ];
    await platform.query('DELETE FROM task_event WHERE task_id = $1', [id]);
    const readers = cursors.map((cursor) => subscribed(id, cursor));
    const snapshots = await Promise.all(readers.map((reader) => reader.seen(1)));
    for (const [first] of snapshots) expect(first?.text).toBe(snapshots[0]?.[0]?.text);
    const task = snapshots[0]?.[0]?.value().task;
    expect(task).toMatchObject({
      id,
      metadata: { replay: 'snapshot' },
      status: { state: 'TASK_STATE_INPUT_REQUIRED' },
    });
    await platform.send(saying('echo: done', { taskId: id }));
    for (const reader of readers) {
      await reader.ended;
      expect(seqsOf(reader)).toEqual(consecutive(2, 5));
    }
  });

  it('that has seen all there is gets the task as it is, without a mark', async () => {
    const { id } = await platform.send(saying('ask: q?'));
    for (const cursor of [`${id.slice(0, 8)}-2`, '']) {
      const reader = subscribed(id, cursor);
      const [first] = await reader.seen(1);
      expect(first?.value().task?.metadata).toBeUndefined();
      expect(first?.value().task?.history).toHaveLength(2);
      reader.leave();
    }
  });

  it('five hundred times at once leaves connections for everybody else', async () => {
    const { id } = await platform.send(saying('ask: q?'));
    const readers = Array.from({ length: 500 }, () => subscribed(id, `${id.slice(0, 8)}-1`));
    await Promise.all(readers.map((reader) => reader.seen(2)));
    const [row] = await platform.query<{ n: string }>(
      "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND query NOT LIKE '%pg_stat%'",
    );
    expect(Number(row?.n)).toBeLessThan(30);
    const open = await Promise.all(Array.from({ length: 10 }, () => platform.query('SELECT 1')));
    expect(open).toHaveLength(10);
    for (const reader of readers) reader.leave();
  });
});
