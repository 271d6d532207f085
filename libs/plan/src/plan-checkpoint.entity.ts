import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Phase } from './domain/plan-state.js';
import { PlanRow } from './plan.entity.js';

/** A state of a sandbox that the plan can return to. */
@Entity({ name: 'plan_checkpoint' })
@Index('plan_checkpoint_order', ['planId', 'ordinal'], { unique: true })
export class PlanCheckpointRow {
  /** `cp_` and a ULID. */
  @PrimaryColumn({ name: 'id', type: 'text' })
  id: string;

  @Column({ name: 'plan_id', type: 'text' })
  @ForeignKey(() => PlanRow, { name: 'plan_checkpoint_plan', onDelete: 'CASCADE' })
  planId: string;

  /** From 0, over all targets. */
  @Column({ name: 'ordinal', type: 'integer' })
  ordinal: number;

  @Column({ name: 'target', type: 'integer' })
  target: number;

  @Column({ name: 'phase', type: 'text' })
  phase: Phase;

  /** The step whose changes it holds; null for the first one of a target. */
  @Column({ name: 'step_id', type: 'text', nullable: true })
  stepId: string | null;

  @Column({ name: 'tool', type: 'text', nullable: true })
  tool: string | null;

  @Column({ name: 'reason', type: 'text' })
  reason: string;

  @Column({ name: 'commit_id', type: 'text' })
  commit: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
