import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  apply,
  chunk,
  IDENTITY,
  INPUT_REQUIRED,
  message,
  newFold,
  ORIGIN,
  WORKING,
} from '../domain/task-fold.fixture.js';
import type { TaskFold, TaskIdentity } from '../domain/task-fold.js';
import { saying, TaskPlatform } from '../task-platform.fixture.js';
import { commitStatement } from './commit-statement.js';
import { Lanes } from './lanes.js';
import { TaskLostError } from './live-task.js';
import { LossyProxy } from './lossy-proxy.fixture.js';
import { TaskReader, WHOLE } from './task-reader.js';

let platform: TaskPlatform;

beforeAll(async () => {
  platform = await TaskPlatform.start();
});

afterAll(() => platform.stop());

function fold(identity: Partial<TaskIdentity> = {}): TaskFold {
  return newFold({ id: randomUUID(), ...identity });
}

const refusedAs = (refusal: TaskLostError['refusal']) =>
  expect.objectContaining({ name: 'TaskLostError', refusal }) as unknown;

describe('a batch with guilty units', () => {
  it('fails those alone, wherever they stand', async () => {
    const stored = fold();
    await platform.live.adopt(stored).settled();
    const paused = fold();
    await platform.live.adopt(apply(paused, INPUT_REQUIRED)).settled();
    platform.live.release(platform.live.find(paused.identity.id) ?? expect.fail('not held'));
    const stale = await platform.live.open(paused.identity.id);
    await platform.query('UPDATE task SET last_seq = last_seq + 1 WHERE id = $1', [stale.id]);

    // All of them ask in one turn of the event loop, so they leave in one statement.
    const good = Array.from({ length: 40 }, () => platform.live.adopt(apply(fold(), WORKING)));
    const twin = platform.live.adopt(fold({ id: stored.identity.id }));
    const unstorable = platform.live.adopt(fold({ owner: 'a\u001Fb' }));
    stale.apply([WORKING], ORIGIN);
    const more = Array.from({ length: 40 }, () => platform.live.adopt(fold()));

    await expect(twin.settled()).rejects.toEqual(refusedAs('exists'));
    await expect(unstorable.settled()).rejects.toEqual(refusedAs(null));
    await expect(stale.settled()).rejects.toEqual(refusedAs('moved'));
    await Promise.all([...good, ...more].map((task) => task.settled()));
    const ids = [...good, ...more].map(({ id }) => id);
    const rows = await platform.query('SELECT id FROM task WHERE id = ANY($1)', [ids]);
    expect(rows).toHaveLength(80);
    const left = await platform.query('SELECT seq FROM task_event WHERE task_id = $1', [unstorable.id]);
    expect(left).toEqual([]);
    const after = await platform.query('SELECT seq FROM task_event WHERE task_id = $1', [stale.id]);
    expect(after).toEqual([{ seq: 2 }]);
    for (const { id } of [...good, ...more, twin, unstorable, stale]) {
      const held = platform.live.find(id);
      if (held !== undefined) platform.live.release(held);
    }
  });

  it('tells a lost task whatever is asked of it later', async () => {
    const task = platform.live.adopt(fold({ owner: '' }));
    await expect(task.settled()).rejects.toBeInstanceOf(TaskLostError);
    await expect(task.rested()).rejects.toBeInstanceOf(TaskLostError);
    await expect(task.restedWithin(1000)).rejects.toBeInstanceOf(TaskLostError);
    expect(() => task.apply([WORKING], ORIGIN)).toThrow(TaskLostError);
    expect([task.isLost, task.hasChanges]).toEqual([true, false]);
    platform.live.release(task);
  });
});

describe('a batch of large units', () => {
  it('is cut before it grows beyond what a statement should hold', async () => {
    const text = 'x'.repeat(3 * 1024 * 1024);
    const tasks = Array.from({ length: 12 }, () =>
      platform.live.adopt(apply(fold(), { kind: 'message', message: message('m-2', text) })),
    );
    await Promise.all(tasks.map((task) => task.settled()));
    const [row] = await platform.query<{ n: string }>(
      'SELECT count(DISTINCT xmin::text) AS n FROM task WHERE id = ANY($1)',
      [tasks.map(({ id }) => id)],
    );
    expect(Number(row?.n)).toBeGreaterThanOrEqual(4);
    for (const task of tasks) platform.live.release(task);
  });
});

describe('connections that are killed while tasks are committed', () => {
  it('lose nothing that was acknowledged and store nothing twice', async () => {
    const peace = new AbortController();
    const killing = (async () => {
      while (!peace.signal.aborted) {
        await platform.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%task%'`,
        );
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    })();
    const acknowledged: string[] = [];
    const senders = Array.from({ length: 16 }, async () => {
      for (let round = 0; round < 12; round += 1) {
        const task = await platform.send(saying('chunks: a|b|c')).catch(() => null);
        if (task !== null) acknowledged.push(task.id);
      }
    });
    await Promise.all(senders);
    peace.abort();
    await killing.catch(() => undefined);
    expect(platform.log.map(({ msg }) => msg)).toContainEqual(expect.stringContaining('The database is away'));
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    const rows = await platform.query<{
      id: string;
      state: string;
      last_seq: number;
      frames: string;
      audits: string;
      messages: string;
    }>(
      `SELECT t.id, t.state, t.last_seq, (SELECT string_agg(e.frames, E'\\n' ORDER BY e.seq) FROM task_event e WHERE e.task_id = t.id) AS frames,
         (SELECT count(*) FROM audit a WHERE a.task_id = t.id::text) AS audits,
         (SELECT count(*) FROM message m WHERE m.task_id = t.id) AS messages
       FROM task t WHERE t.owner = 'local-owner' AND t.executor = 'scripted'`,
    );
    const completed = rows.filter(({ state }) => state === 'TASK_STATE_COMPLETED');
    expect(completed.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
    for (const { last_seq, frames, audits, messages } of completed) {
      expect([last_seq, frames.split('\n').length, audits, messages]).toEqual([6, 6, '3', '1']);
    }
  });
});

describe('an answer of the database that is lost after the commit', () => {
  it('does not make anything be stored twice, or be taken for lost', async () => {
    const proxy = await LossyProxy.before(platform.database.url);
    const own = await TaskPlatform.start({ DATABASE_URL: proxy.url }, platform.database);
    try {
      const tasks = Array.from({ length: 5 }, () => own.live.adopt(fold()));
      proxy.lose(1, 'task_commit');
      await Promise.all(tasks.map((task) => task.settled()));
      expect(proxy.isDone).toBe(true);
      proxy.lose(2, 'task_commit');
      for (const task of tasks) {
        task.apply([{ kind: 'message', message: message('m-2') }], ORIGIN);
        if (task !== tasks[0]) task.apply([chunk('a', 'x'), INPUT_REQUIRED], ORIGIN);
      }
      await Promise.all(tasks.map((task) => task.settled()));
      expect(proxy.isDone).toBe(true);
      for (const { id, fold: kept } of tasks) {
        const stored = await own.module.get(TaskReader).read(id, WHOLE);
        expect(stored?.text()).toBe(kept.taskText(50));
      }
      const rows = await own.query(
        `SELECT task_id, count(*) AS n FROM audit WHERE task_id = ANY($1) GROUP BY 1 HAVING count(*) > 2`,
        [tasks.map(({ id }) => id)],
      );
      expect(rows).toEqual([]);
    } finally {
      for (const id of own.live.ids()) own.live.find(id)?.lose();
      await own.stop();
      await proxy.close();
    }
  });
});

describe('the plans of the prepared statements', () => {
  it('stay on the indexes although they were made on empty tables', async () => {
    const fresh = await TaskPlatform.start();
    const lanes = fresh.module.get(Lanes);
    const client = await lanes.take();
    try {
      for (const table of ['task', 'task_event', 'message', 'artifact']) {
        await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
      }
      const created = {
        delta: apply(fold({ id: IDENTITY.id }), WORKING).takeDelta(),
        runnerBefore: null,
        runnerAfter: 'r',
      };
      const again = apply(newFold(), WORKING);
      again.takeDelta();
      const moved = {
        delta: apply(again, chunk('a', 'x'), INPUT_REQUIRED).takeDelta(),
        runnerBefore: 'r',
        runnerAfter: null,
      };
      await client.query(commitStatement([created]));
      const statement = commitStatement([moved]);
      await client.query(statement);
      await client.query(
        `INSERT INTO task SELECT gen_random_uuid(), namespace, owner, context_id, dialect, executor, state, status, status_at,
           metadata, request_hash, last_seq, folded_seq, message_count, segment_count, runner, created_at
         FROM task, generate_series(1, 50000)`,
      );
      await client.query("INSERT INTO task_event SELECT id, 1, '{}' FROM task ON CONFLICT DO NOTHING");
      const plan = await planOf(client, statement.name, statement.values);
      expect(plan).toContain('pk_task');
      expect(plan).not.toContain('Seq Scan');
      // The reader's statements are prepared by the reader, on whatever lane comes first: the one that is given back.
      lanes.giveBack(client);
      await Promise.all([fresh.get(IDENTITY.id).catch(() => null), fresh.get(IDENTITY.id).catch(() => null)]);
      const reading = await lanes.take();
      await fresh.get(IDENTITY.id).catch(() => null);
      const { rows } = await reading.query<{ name: string }>(
        "SELECT name FROM pg_prepared_statements WHERE name LIKE 'task_read%'",
      );
      expect(rows).not.toEqual([]);
      for (const { name } of rows) {
        const values = name === 'task_read_one' ? [IDENTITY.id, '50', 'true'] : [`{${IDENTITY.id}}`, '{50}', '{true}'];
        const read = await planOf(reading, name, values);
        for (const index of ['pk_task', 'pk_message', 'pk_task_event', 'pk_artifact']) expect(read).toContain(index);
        expect(read).not.toContain('Seq Scan');
      }
      lanes.giveBack(reading);
    } finally {
      await fresh.stop();
    }
  });
});

async function planOf(client: PoolClient, name: string, values: readonly string[]): Promise<string> {
  const literals = values.map((value) => client.escapeLiteral(value)).join(', ');
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS off) EXECUTE "${name}"(${literals})`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
