import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import type { TaskState } from '@cleveragents/protocol';
import type { PagePosition } from './domain/page-token.js';
import { StoredTask, type TaskRecord } from './domain/stored-task.js';
import { taskColumns, type ReadOptions } from './log/task-reader.js';

/** Which tasks; null = whatever. Exactly one of `owner` and `namespace` is set, so that an index leads. */
export interface TaskFilter {
  readonly owner: string | null;
  readonly namespace: string | null;
  readonly contextId: string | null;
  readonly state: TaskState | null;
  /** RFC 3339. */
  readonly since: string | null;
}

/** A task in work that nobody works on. */
export interface Orphan {
  readonly id: string;
  readonly runner: string;
}

/** A task in a list, with the position from which the next page goes on. */
export class ListedTask extends StoredTask {
  constructor(
    record: TaskRecord,
    readonly at: string,
  ) {
    super(record);
  }
}

const POSITION = `to_char(t.status_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS position`;

@Injectable()
export class TaskRepository {
  constructor(private readonly transactions: TransactionManager) {}

  /** Tasks by status time, newest first, ties by id; keyset, so that a deep page costs what the first one does. */
  async page(
    filter: TaskFilter,
    after: PagePosition | null,
    limit: number,
    { history, artifacts }: ReadOptions,
  ): Promise<ListedTask[]> {
    const where = new Conditions(filter);
    if (after !== null)
      where.add((next) => `(t.status_at, t.id) < (${next(after.at)}::timestamptz, ${next(after.id)}::uuid)`);
    const size = where.value(limit);
    const columns = taskColumns(`${where.value(history)}::int`, `${where.value(artifacts)}::boolean`);
    const rows: (TaskRecord & { position: string })[] = await this.transactions.manager.query(
      `SELECT ${columns}, ${POSITION} FROM task t WHERE ${where.text} ORDER BY t.status_at DESC, t.id DESC LIMIT ${size}`,
      where.values,
    );
    return rows.map((row) => new ListedTask(row, row.position));
  }

  async count(filter: TaskFilter): Promise<number> {
    const where = new Conditions(filter);
    const [row]: { total: string }[] = await this.transactions.manager.query(
      `SELECT count(*) AS total FROM task t WHERE ${where.text}`,
      where.values,
    );
    return Number(row?.total ?? 0);
  }

  /**
   * Tasks that a runner left behind, in the order of their ids: those of ended runners, and those of `ownRunner` but for
   * the ones it holds.
   */
  orphans(ownRunner: string, held: readonly string[], after: string, limit: number): Promise<Orphan[]> {
    return this.transactions.manager.query(
      `SELECT t.id, t.runner FROM task t LEFT JOIN runner r ON r.id = t.runner AND r.ended_at IS NULL
       WHERE t.runner IS NOT NULL AND t.id::text > $3
         AND (r.id IS NULL OR (t.runner = $1 AND t.id <> ALL($2::uuid[])))
       ORDER BY t.id LIMIT $4`,
      [ownRunner, held, after, limit],
    );
  }

  /** Which of these tasks `runner` holds. */
  async heldBy(runner: string, ids: readonly string[]): Promise<Set<string>> {
    const rows: { id: string }[] = await this.transactions.manager.query(
      'SELECT id FROM task WHERE runner = $1 AND id = ANY($2::uuid[])',
      [runner, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Tasks in work without an event for `limitMs`, the longest first. */
  async overdue(limitMs: number, limit: number): Promise<string[]> {
    const rows: { id: string }[] = await this.transactions.manager.query(
      `SELECT t.id FROM task t WHERE t.state = 'TASK_STATE_WORKING'
         AND t.status_at < now() - $1 * interval '1 millisecond' AND t.progress_at < now() - $1 * interval '1 millisecond'
       ORDER BY t.status_at LIMIT $2`,
      [limitMs, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Notes that a task makes no progress; false when that is known already, or the task has moved meanwhile. */
  async noteOverdue(taskId: string, limitMs: number): Promise<boolean> {
    const [, count]: [unknown, number] = await this.transactions.manager.query(
      `UPDATE task SET overdue_at = now() WHERE id = $1 AND state = 'TASK_STATE_WORKING'
         AND progress_at < now() - $2 * interval '1 millisecond' AND (overdue_at IS NULL OR overdue_at < progress_at)`,
      [taskId, limitMs],
    );
    return count === 1;
  }

  /** Tasks that have been waiting for `ageMs` for their client to carry out a request, the longest first. */
  async askingSince(ageMs: number, limit: number): Promise<string[]> {
    const rows: { id: string }[] = await this.transactions.manager.query(
      `SELECT t.id FROM task t WHERE t.state = 'TASK_STATE_INPUT_REQUIRED' AND t.status LIKE '%"kind":"client_request"%'
         AND t.status_at < now() - $1 * interval '1 millisecond' ORDER BY t.status_at LIMIT $2`,
      [ageMs, limit],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Takes a task from `runner` (null = from whoever has it) and locks its row; the state in which it was, or null when it
   * is not there to be taken. Inside the transaction that ends it.
   */
  async takeFrom(runner: string | null, taskId: string): Promise<TaskState | null> {
    const [rows]: [{ state: TaskState }[], number] = await this.transactions.manager.query(
      'UPDATE task SET runner = NULL WHERE id = $1 AND ($2::text IS NULL OR runner = $2) RETURNING state',
      [taskId, runner],
    );
    return rows[0]?.state ?? null;
  }
}

/** The WHERE clause of a filter, with its parameters. */
class Conditions {
  readonly values: unknown[] = [];
  private readonly clauses: string[] = [];

  constructor({ owner, namespace, contextId, state, since }: TaskFilter) {
    this.equal('owner', owner);
    this.equal('namespace', namespace);
    this.equal('context_id', contextId);
    this.equal('state', state);
    if (since !== null) this.add((next) => `t.status_at >= ${next(since)}::timestamptz`);
  }

  get text(): string {
    return this.clauses.length === 0 ? 'true' : this.clauses.join(' AND ');
  }

  add(clause: (next: (value: unknown) => string) => string): void {
    this.clauses.push(clause((value) => this.value(value)));
  }

  /** The placeholder of one more parameter. */
  value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  private equal(column: string, value: string | null): void {
    if (value !== null) this.add((next) => `t.${column} = ${next(value)}`);
  }
}
