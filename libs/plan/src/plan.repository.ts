import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import { Brackets, IsNull, LessThan, MoreThanOrEqual, type SelectQueryBuilder } from 'typeorm';
import type { Phase, PlanState } from './domain/plan-state.js';
import { PlanReferenceRow } from './plan-reference.entity.js';
import { PlanSnapshotRow, type PlanSnapshot } from './plan-snapshot.entity.js';
import { PlanTaskRow } from './plan-task.entity.js';
import { PlanRow } from './plan.entity.js';

export type PlanPatch = Partial<Omit<PlanRow, 'id' | 'version'>>;

export interface PlanReference {
  readonly kind: string;
  readonly name: string;
}

export interface PlanFilter {
  /** Plans of which every project lies in one of these; `all` = of every namespace. */
  readonly namespaces: readonly string[] | 'all';
  readonly namespace?: string;
  readonly project?: string;
  readonly action?: string;
  readonly phase?: Phase;
  readonly state?: PlanState;
  readonly createdBy?: string;
  readonly since?: Date;
}

export type StateCounts = ReadonlyMap<PlanState, number>;

@Injectable()
export class PlanRepository {
  constructor(private readonly tx: TransactionManager) {}

  async insert(row: PlanRow, snapshot: PlanSnapshot, references: readonly PlanReference[]): Promise<void> {
    const { manager } = this.tx;
    await manager.insert<object>(PlanRow, row);
    await manager.insert<object>(PlanSnapshotRow, { planId: row.id, content: snapshot });
    await manager.insert(
      PlanReferenceRow,
      references.map((reference) => ({ planId: row.id, ...reference })),
    );
  }

  async find(id: string): Promise<PlanRow | null> {
    return this.tx.manager.findOneBy(PlanRow, { id });
  }

  /** The plan, held against every other change until the open transaction ends. */
  async lock(id: string): Promise<PlanRow | null> {
    return this.tx.manager.findOne(PlanRow, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  async findByTask(taskId: string): Promise<PlanRow | null> {
    const task = await this.tx.manager.findOneBy(PlanTaskRow, { taskId });
    return task === null ? null : this.find(task.planId);
  }

  async findNewestIn(contextId: string): Promise<PlanRow | null> {
    return this.tx.manager.findOne(PlanRow, { where: { contextId }, order: { id: 'DESC' } });
  }

  async findByKey(createdBy: string, idempotencyKey: string, since: Date): Promise<PlanRow | null> {
    return this.tx.manager.findOneBy(PlanRow, { createdBy, idempotencyKey, createdAt: MoreThanOrEqual(since) });
  }

  /** Frees a key that was used before `since`. */
  async releaseKey(createdBy: string, idempotencyKey: string, since: Date): Promise<void> {
    const criteria = { createdBy, idempotencyKey, createdAt: LessThan(since) };
    await this.tx.manager.update<object>(PlanRow, criteria, { idempotencyKey: null });
  }

  /** Makes others who want to use the same action wait until the open transaction ends. */
  async lockAction(action: string): Promise<void> {
    await this.tx.manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`plan action ${action}`]);
  }

  async snapshotOf(planId: string): Promise<PlanSnapshot> {
    const { content } = await this.tx.manager.findOneByOrFail(PlanSnapshotRow, { planId });
    return content as PlanSnapshot;
  }

  async updateSnapshot(planId: string, content: PlanSnapshot): Promise<void> {
    await this.tx.manager.update<object>(PlanSnapshotRow, { planId }, { content });
  }

  /** False when the row is no longer at `version`: somebody else changed it. */
  async update(id: string, version: number, patch: PlanPatch): Promise<boolean> {
    const result = await this.tx.manager.update<object>(PlanRow, { id, version }, { ...patch, version: version + 1 });
    return result.affected === 1;
  }

  async addTask(planId: string, taskId: string): Promise<void> {
    const { manager } = this.tx;
    const ordinal = await manager.countBy(PlanTaskRow, { planId });
    await manager.insert(PlanTaskRow, { planId, taskId, ordinal });
  }

  /** Oldest first. */
  async taskIdsOf(planId: string): Promise<string[]> {
    const rows = await this.tx.manager.find(PlanTaskRow, { where: { planId }, order: { ordinal: 'ASC' } });
    return rows.map(({ taskId }) => taskId);
  }

  /** Plans whose worker's lease has ended. */
  async abandoned(limit: number): Promise<string[]> {
    const rows: { id: string }[] = await this.tx.manager.query(
      `SELECT p.id FROM plan p LEFT JOIN runner r ON r.id = p.lease_owner AND r.ended_at IS NULL
        WHERE p.lease_owner IS NOT NULL AND p.state = 'processing' AND r.id IS NULL LIMIT $1`,
      [limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Plans that have been due since before `limit` and that no worker has taken. */
  async stalled(limit: Date, count: number): Promise<string[]> {
    const rows = await this.tx.manager.find(PlanRow, {
      select: { id: true },
      where: { state: 'queued', awaiting: IsNull(), updatedAt: LessThan(limit) },
      order: { updatedAt: 'ASC' },
      take: count,
    });
    return rows.map(({ id }) => id);
  }

  /** Plans that this process is said to work on. */
  async heldBy(leaseOwner: string): Promise<string[]> {
    const rows = await this.tx.manager.find(PlanRow, { select: { id: true }, where: { leaseOwner } });
    return rows.map(({ id }) => id);
  }

  /** Cancelled plans that ended before `limit` and still keep their sandboxes. */
  async keptSince(limit: Date, count: number): Promise<string[]> {
    const rows = await this.tx.manager.find(PlanRow, {
      select: { id: true },
      where: { state: 'cancelled', isSandboxKept: true, endedAt: LessThan(limit) },
      take: count,
    });
    return rows.map(({ id }) => id);
  }

  /** Plans that have waited for a person since before `limit`. */
  async unanswered(limit: Date, count: number): Promise<string[]> {
    const rows = await this.tx.manager.find(PlanRow, {
      select: { id: true },
      where: { restingSince: LessThan(limit), isAttentionOver: false },
      take: count,
    });
    return rows.map(({ id }) => id);
  }

  /** Newest first, from before `cursor`. */
  async page(filter: PlanFilter, limit: number, cursor: string | null): Promise<PlanRow[]> {
    const query = this.filtered(filter).orderBy('plan.id', 'DESC').take(limit);
    if (cursor !== null) query.andWhere('plan.id < :cursor', { cursor });
    return query.getMany();
  }

  async countByState(filter: PlanFilter): Promise<StateCounts> {
    const rows = await this.filtered(filter)
      .select('plan.state', 'state')
      .addSelect('count(*)::int', 'count')
      .groupBy('plan.state')
      .getRawMany<{ state: PlanState; count: number }>();
    return new Map(rows.map(({ state, count }) => [state, count]));
  }

  /** Plans that use each of these entities: all of them, and those that are not over. */
  async countUses(kind: string, names: readonly string[]): Promise<{ name: string; total: number; active: number }[]> {
    return this.tx.manager.query(
      `SELECT r.name, count(*)::int AS total,
              (count(*) FILTER (WHERE p.state NOT IN ('applied', 'cancelled')))::int AS active
         FROM plan_reference r JOIN plan p ON p.id = r.plan_id
        WHERE r.kind = $1 AND r.name = ANY($2) GROUP BY r.name`,
      [kind, names],
    );
  }

  private filtered(filter: PlanFilter): SelectQueryBuilder<PlanRow> {
    const query = this.tx.manager.createQueryBuilder(PlanRow, 'plan').where('TRUE');
    const { namespaces, namespace, action, phase, state, createdBy, since, project } = filter;
    if (namespaces !== 'all') query.andWhere('plan.namespaces <@ :namespaces', { namespaces });
    const equal = { namespace, action, phase, state, createdBy };
    for (const [column, value] of Object.entries(equal)) {
      if (value !== undefined) query.andWhere(`plan.${column} = :${column}`, { [column]: value });
    }
    if (since !== undefined) query.andWhere('plan.created_at >= :since', { since });
    if (project !== undefined) query.andWhere(usesProject(project));
    return query;
  }
}

function usesProject(project: string): Brackets {
  return new Brackets((where) =>
    where.where(
      `EXISTS (SELECT FROM plan_reference r WHERE r.plan_id = plan.id AND r.kind = 'project' AND r.name = :project)`,
      { project },
    ),
  );
}
