import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import type { Dialect } from '@cleveragents/protocol';
import { isOver } from './push-config.repository.js';

/** A configuration that one runner delivers to for the time being. */
export interface ClaimedConfig {
  readonly taskId: string;
  readonly id: string;
  readonly namespace: string;
  readonly dialect: Dialect;
  readonly wireTaskId: string | null;
  readonly url: string;
  readonly token: string | null;
  readonly scheme: string | null;
  readonly credentials: string | null;
  readonly keyId: string | null;
  readonly failures: number;
  readonly deliveredSeq: number;
  /** Number of the newest event of the task. */
  readonly lastSeq: number;
  /** Every change counts only while this runner still holds it. */
  readonly runner: string;
}

export interface ClaimRequest {
  readonly runner: string;
  /** What this process delivers to already. */
  readonly held: readonly ClaimedConfig[];
  /** Keys with which secrets can be opened here. */
  readonly keyIds: readonly string[];
  /** Where to look; null = everywhere. */
  readonly tasks: readonly string[] | null;
  readonly limit: number;
}

/** How an attempt failed, and how many in a row have. */
export interface FailedAttempt {
  readonly reason: string;
  readonly failures: number;
}

/**
 * Due: the log of the task goes on after what the receiver knows. So the commit of an event is what makes its delivery
 * due, whoever made it and whatever happens next. Free: claimed by nobody, by a runner that has ended, or by this one in
 * a claim that it lost track of.
 */
const CLAIM = `
  WITH due AS (
    SELECT c.task_id, c.id, t.last_seq FROM push_config c JOIN task t ON t.id = c.task_id
    WHERE c.due_at <= now() AND t.last_seq > c.delivered_seq
      AND (c.claimed_by IS NULL
        OR (c.claimed_by = $1 AND c.task_id || ' ' || c.id <> ALL($2::text[]))
        OR NOT EXISTS (SELECT 1 FROM runner r WHERE r.id = c.claimed_by AND r.ended_at IS NULL))
      AND (c.key_id IS NULL OR c.key_id = ANY($3::text[]))
      AND ($4::uuid[] IS NULL OR c.task_id = ANY($4::uuid[]))
    ORDER BY c.due_at LIMIT $5 FOR UPDATE OF c SKIP LOCKED)
  UPDATE push_config c SET claimed_by = $1 FROM due WHERE c.task_id = due.task_id AND c.id = due.id
  RETURNING c.task_id AS "taskId", c.id, c.namespace, c.dialect, c.wire_task_id AS "wireTaskId", c.url, c.token, c.scheme,
    c.credentials, c.key_id AS "keyId", c.failures, c.delivered_seq AS "deliveredSeq", due.last_seq AS "lastSeq",
    c.claimed_by AS runner`;

const OWN = 'c.task_id = $1::uuid AND c.id = $2 AND c.claimed_by = $3';

/** The configurations as work: one runner at a time delivers to each of them. */
@Injectable()
export class PushQueue {
  constructor(private readonly transactions: TransactionManager) {}

  async claim({ runner, held, keyIds, tasks, limit }: ClaimRequest): Promise<ClaimedConfig[]> {
    const keys = held.map(({ taskId, id }) => `${taskId} ${id}`);
    const [rows]: [ClaimedConfig[], number] = await this.transactions.manager.query(CLAIM, [
      runner,
      keys,
      keyIds,
      tasks,
      limit,
    ]);
    return rows;
  }

  /** The receiver has accepted everything up to event `seq`. False when the claim was lost. */
  advance(config: ClaimedConfig, seq: number): Promise<boolean> {
    return this.change(
      config,
      `UPDATE push_config c SET delivered_seq = $4, failures = 0, reason = NULL WHERE ${OWN}`,
      [seq],
    );
  }

  /** Gives up the claim; what there is to deliver is due after the pause. */
  postpone(config: ClaimedConfig, { reason, failures }: FailedAttempt, pauseMs: number): Promise<boolean> {
    return this.change(
      config,
      `UPDATE push_config c SET claimed_by = NULL, reason = $4, failures = $5,
       due_at = now() + $6::float8 * interval '1 millisecond' WHERE ${OWN}`,
      [reason, failures, pauseMs],
    );
  }

  /** Nothing is delivered any more until the client sets the configuration anew. */
  disable(config: ClaimedConfig, { reason, failures }: FailedAttempt): Promise<boolean> {
    return this.change(
      config,
      `UPDATE push_config c SET claimed_by = NULL, state = 'disabled', reason = $4, failures = $5, due_at = NULL
       WHERE ${OWN}`,
      [reason, failures],
    );
  }

  /** Gives up the claim. A task that is over is not looked at again once its receiver knows. */
  release(config: ClaimedConfig): Promise<boolean> {
    return this.change(
      config,
      `UPDATE push_config c SET claimed_by = NULL,
       due_at = CASE WHEN ${isOver('c.delivered_seq')} THEN NULL ELSE c.due_at END
       FROM task t WHERE t.id = c.task_id AND ${OWN}`,
      [],
    );
  }

  /** Tasks of which something may still have to be delivered. */
  async tasks(): Promise<string[]> {
    const rows: { id: string }[] = await this.transactions.manager.query(
      'SELECT DISTINCT task_id AS id FROM push_config WHERE due_at IS NOT NULL',
    );
    return rows.map(({ id }) => id);
  }

  private async change({ taskId, id, runner }: ClaimedConfig, text: string, values: unknown[]): Promise<boolean> {
    const parameters = [taskId, id, runner, ...values];
    const [, affected]: [unknown[], number] = await this.transactions.manager.query(text, parameters);
    return affected === 1;
  }
}
