import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { eventsOfRow, type TaskEvent } from '../domain/task-event.js';
import { RECENT_MESSAGES } from '../domain/task-fold.js';
import { StoredTask, type TaskRecord } from '../domain/stored-task.js';
import { isConnectionTrouble, Lanes } from './lanes.js';

/** What to read of a task besides its row. */
export interface ReadOptions {
  /** At most so many newest messages. */
  readonly history: number;
  readonly artifacts: boolean;
}

/** All that a fold needs to go on. */
export const WHOLE: ReadOptions = { history: RECENT_MESSAGES, artifacts: true };
/** The row alone. */
export const BARE: ReadOptions = { history: 0, artifacts: false };

/** Events of several tasks, by task and in order. */
export interface FoundEvents {
  readonly events: ReadonlyMap<string, readonly TaskEvent[]>;
  /** False when there are more. */
  readonly isComplete: boolean;
}

interface EventsRow {
  readonly task_id: string;
  readonly seq: number;
  readonly frames: string;
}

interface Statement {
  readonly name: string;
  readonly text: string;
}

interface Wanted {
  readonly id: string;
  readonly options: ReadOptions;
  readonly resolve: (task: StoredTask | null) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_READS_OUT = 2;
const MAX_BATCH = 256;

const COLUMNS = `t.id, t.namespace, t.owner, t.context_id, t.dialect, t.executor, t.state, t.status, t.status_at, t.metadata,
  t.request_hash, t.last_seq, t.folded_seq, t.message_count, t.segment_count, t.created_at`;

/** The select list of a TaskRecord; `history` and `artifacts` name the expressions that say how much is wanted. */
export function taskColumns(history: string, artifacts: string): string {
  return `${COLUMNS},
  CASE WHEN ${history} > 0 THEN (SELECT string_agg(m.body, ',' ORDER BY m.n) FROM message m
    WHERE m.task_id = t.id AND m.n > t.message_count - ${history}) END AS history,
  CASE WHEN ${artifacts} AND t.segment_count > 0 THEN (SELECT string_agg(a.mode || ' ' || a.body, E'\\n' ORDER BY a.n)
    FROM artifact a WHERE a.task_id = t.id) END AS segments,
  CASE WHEN ${artifacts} AND t.last_seq > t.folded_seq THEN (SELECT string_agg(e.frames, E'\\n' ORDER BY e.seq)
    FROM task_event e WHERE e.task_id = t.id AND e.seq > t.folded_seq) END AS tail`;
}

const ONE = {
  name: 'task_read_one',
  text: `SELECT ${taskColumns('$2::int', '$3::boolean')} FROM task t WHERE t.id = $1::uuid`,
};
const MANY = {
  name: 'task_read_many',
  text: `SELECT r.n, ${taskColumns('r.history', 'r.artifacts')}
    FROM unnest($1::uuid[], $2::int[], $3::boolean[]) WITH ORDINALITY AS r(id, history, artifacts, n)
    JOIN task t ON t.id = r.id`,
};

const EVENTS = 'SELECT seq, frames FROM task_event WHERE task_id = $1::uuid AND seq > $2::int ORDER BY seq';

/** At most so many rows at a time: what is left is read next. */
const MAX_EVENT_ROWS = 256;
const EVENTS_OF_MANY = {
  name: 'task_read_events',
  text: `SELECT e.task_id, e.seq, e.frames FROM unnest($1::uuid[], $2::int[]) AS r(id, seq)
    JOIN task_event e ON e.task_id = r.id AND e.seq > r.seq ORDER BY e.task_id, e.seq LIMIT ${MAX_EVENT_ROWS}`,
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Reads tasks, always from PostgreSQL. Reads asked for while others are under way share one statement; a lone one stays
 * plain, because a batch of one costs twice as much.
 */
@Injectable()
export class TaskReader {
  private waiting: Wanted[] = [];
  private readsOut = 0;
  private isScheduled = false;

  constructor(
    private readonly lanes: Lanes,
    private readonly dataSource: DataSource,
  ) {}

  /** Null for an id that is unknown or no id at all. */
  read(id: string, options: ReadOptions): Promise<StoredTask | null> {
    if (!UUID.test(id)) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      this.waiting.push({ id, options, resolve, reject });
      this.schedule();
    });
  }

  /** What is kept of the log after event number `seq`. */
  async eventsAfter(taskId: string, seq: number): Promise<TaskEvent[]> {
    const rows: { seq: number; frames: string }[] = await this.dataSource.query(EVENTS, [taskId, seq]);
    const events = rows.flatMap((row) => eventsOfRow(taskId, row.seq, row.frames));
    return events.filter((event) => event.seq > seq);
  }

  /** What the logs of these tasks hold after the given numbers. One call at a time: it takes a lane. */
  async eventsAfterEach(positions: ReadonlyMap<string, number>): Promise<FoundEvents> {
    const rows = await this.run<EventsRow>(EVENTS_OF_MANY, [
      `{${[...positions.keys()].join(',')}}`,
      `{${[...positions.values()].join(',')}}`,
    ]);
    const events = new Map<string, TaskEvent[]>();
    for (const { task_id: taskId, seq, frames } of rows) {
      const known = events.get(taskId) ?? [];
      events.set(taskId, known);
      known.push(...eventsOfRow(taskId, seq, frames));
    }
    return { events, isComplete: rows.length < MAX_EVENT_ROWS };
  }

  private schedule(): void {
    if (this.isScheduled || this.readsOut >= MAX_READS_OUT || this.waiting.length === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      void this.readWaiting();
    });
  }

  private async readWaiting(): Promise<void> {
    const batch = this.waiting.splice(0, MAX_BATCH);
    if (batch.length === 0) return;
    this.readsOut += 1;
    try {
      const tasks = await this.query(batch);
      for (const [index, wanted] of batch.entries()) wanted.resolve(tasks[index] ?? null);
    } catch (error) {
      for (const wanted of batch) wanted.reject(error);
    } finally {
      this.readsOut -= 1;
      this.schedule();
    }
  }

  private async query(batch: readonly Wanted[]): Promise<(StoredTask | undefined)[]> {
    const [only] = batch;
    if (batch.length === 1 && only !== undefined) {
      const { history, artifacts } = only.options;
      const rows = await this.run<TaskRecord>(ONE, [only.id, history, artifacts]);
      return rows.map((row) => new StoredTask(row));
    }
    const rows = await this.run<TaskRecord & { n: string }>(MANY, [
      `{${batch.map(({ id }) => id).join(',')}}`,
      `{${batch.map(({ options }) => options.history).join(',')}}`,
      `{${batch.map(({ options }) => options.artifacts).join(',')}}`,
    ]);
    const tasks: (StoredTask | undefined)[] = Array.from({ length: batch.length });
    for (const row of rows) tasks[Number(row.n) - 1] = new StoredTask(row);
    return tasks;
  }

  /** A connection that broke since its last use shows only now: reading once more costs nothing. */
  private async run<T extends object>(statement: Statement, values: unknown[]): Promise<T[]> {
    try {
      return await this.runOnce<T>(statement, values);
    } catch (error) {
      if (!isConnectionTrouble(error)) throw error;
      return this.runOnce<T>(statement, values);
    }
  }

  private async runOnce<T extends object>(statement: Statement, values: unknown[]): Promise<T[]> {
    const client = await this.lanes.take();
    try {
      const { rows } = await client.query<T>({ ...statement, values });
      this.lanes.giveBack(client);
      return rows;
    } catch (error) {
      this.lanes.giveBackAfter(error, client);
      throw error;
    }
  }
}
