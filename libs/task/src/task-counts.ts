import { Injectable, type OnModuleInit } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import { RunnerLease } from '@cleveragents/engine';

/** Whose tasks are counted, as in a list; null = whatever. */
export interface CountedTasks {
  readonly owner: string | null;
  readonly namespace: string | null;
  readonly state: string | null;
}

const MATCHES = `($1::text IS NULL OR owner = $1) AND ($2::text IS NULL OR namespace = $2)
  AND ($3::text IS NULL OR state = $3)`;

const COUNT = `SELECT coalesce(sum(n), 0) AS total FROM (
  SELECT n FROM task_count WHERE ${MATCHES} UNION ALL SELECT n FROM task_count_change WHERE ${MATCHES}) AS counted`;

/** Whoever reads meanwhile sees the changes or their sum. In one order, so that two replicas do not block each other. */
const SUM_UP = `
  WITH gone AS (DELETE FROM task_count_change RETURNING owner, namespace, state, n)
  INSERT INTO task_count (owner, namespace, state, n)
  SELECT owner, namespace, state, sum(n) FROM gone GROUP BY owner, namespace, state HAVING sum(n) <> 0
  ORDER BY owner, namespace, state
  ON CONFLICT (owner, namespace, state) DO UPDATE SET n = task_count.n + excluded.n`;

/**
 * How many tasks there are, without looking at each: every commit notes what it changes, in the same statement, and a
 * sweep sums the notes up. Exact at every moment.
 */
@Injectable()
export class TaskCounts implements OnModuleInit {
  constructor(
    private readonly transactions: TransactionManager,
    private readonly lease: RunnerLease,
  ) {}

  onModuleInit(): void {
    this.lease.addSweep(() => this.sumUp());
  }

  async count({ owner, namespace, state }: CountedTasks): Promise<number> {
    const values = [owner, namespace, state];
    const [row]: { total: string }[] = await this.transactions.manager.query(COUNT, values);
    return Number(row?.total ?? 0);
  }

  async sumUp(): Promise<void> {
    await this.transactions.manager.query(SUM_UP);
  }
}
