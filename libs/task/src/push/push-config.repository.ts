import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import { TASK_STATES, isTerminal } from '@cleveragents/protocol';
import { MoreThan } from 'typeorm';
import { PushConfigRow } from './push-config.entity.js';

/** What a client sets of a configuration, sealed. */
export type SealedConfig = Pick<
  PushConfigRow,
  | 'taskId'
  | 'id'
  | 'owner'
  | 'namespace'
  | 'dialect'
  | 'wireTaskId'
  | 'url'
  | 'token'
  | 'scheme'
  | 'credentials'
  | 'keyId'
>;

const TERMINAL = `('${TASK_STATES.filter(isTerminal).join("', '")}')`;

/** SQL: nothing of task `t` will ever have to be delivered after event `seq`. */
export function isOver(seq: string): string {
  return `(t.state IN ${TERMINAL} AND t.last_seq <= ${seq})`;
}

/** Sets a configuration. One that was there keeps its place in the log and starts afresh. */
const PUT = `
  INSERT INTO push_config AS c (task_id, id, owner, namespace, dialect, wire_task_id, url, token, scheme, credentials,
    key_id, state, failures, delivered_seq, due_at, created_at)
  SELECT $1::uuid, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'active', 0, coalesce($12::int, t.last_seq, 0),
    CASE WHEN ${isOver('coalesce($12::int, t.last_seq)')} THEN NULL ELSE now() END, now()
  FROM (VALUES (1)) AS always LEFT JOIN task t ON t.id = $1::uuid
  ON CONFLICT (task_id, id) DO UPDATE SET dialect = excluded.dialect, wire_task_id = excluded.wire_task_id,
    url = excluded.url, token = excluded.token, scheme = excluded.scheme, credentials = excluded.credentials,
    key_id = excluded.key_id, state = 'active', reason = NULL, failures = 0, claimed_by = NULL,
    due_at = CASE WHEN excluded.due_at IS NULL AND c.delivered_seq >= excluded.delivered_seq THEN NULL ELSE now() END
  RETURNING xmax = 0 AS is_new`;

/** The configurations as their owners see them. */
@Injectable()
export class PushConfigRepository {
  constructor(private readonly transactions: TransactionManager) {}

  /**
   * The receiver of a new configuration hears of events after number `seq`; null = of those from now on. True when there
   * was none of that id.
   */
  async put(config: SealedConfig, seq: number | null): Promise<boolean> {
    const { taskId, id, owner, namespace, dialect, wireTaskId, url, token, scheme, credentials, keyId } = config;
    const values = [taskId, id, owner, namespace, dialect, wireTaskId, url, token, scheme, credentials, keyId, seq];
    const [row]: { is_new: boolean }[] = await this.transactions.manager.query(PUT, values);
    return row?.is_new === true;
  }

  find(taskId: string, id: string): Promise<PushConfigRow | null> {
    return this.rows.findOneBy({ taskId, id });
  }

  count(taskId: string): Promise<number> {
    return this.rows.countBy({ taskId });
  }

  /** In the order of their ids, after `after`. */
  page(taskId: string, after: string, limit: number): Promise<PushConfigRow[]> {
    return this.rows.find({ where: { taskId, id: MoreThan(after) }, order: { id: 'ASC' }, take: limit });
  }

  async remove(taskId: string, id: string): Promise<boolean> {
    const { affected } = await this.rows.delete({ taskId, id });
    return affected === 1;
  }

  private get rows() {
    return this.transactions.manager.getRepository(PushConfigRow);
  }
}
