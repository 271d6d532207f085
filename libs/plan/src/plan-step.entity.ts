import type { JsonObject } from '@cleveragents/kernel';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { JSON_TEXT } from './json-text.js';
import { PlanRow } from './plan.entity.js';

export type StepStatus = 'queued' | 'running' | 'done' | 'skipped' | 'failed';

/** A step of the chosen strategy in one target; planning anew replaces them. */
@Entity({ name: 'plan_step' })
export class PlanStepRow {
  @PrimaryColumn({ name: 'plan_id', type: 'text' })
  @ForeignKey(() => PlanRow, { name: 'plan_step_plan', onDelete: 'CASCADE' })
  planId: string;

  @PrimaryColumn({ name: 'target', type: 'integer' })
  target: number;

  @PrimaryColumn({ name: 'step_id', type: 'text' })
  stepId: string;

  /** Order of running, over all targets. */
  @Column({ name: 'ordinal', type: 'integer' })
  ordinal: number;

  @Column({ name: 'status', type: 'text' })
  status: StepStatus;

  @Column({ name: 'tool', type: 'text' })
  tool: string;

  /** A person has approved the call, so it is not asked for again. */
  @Column({ name: 'is_approved', type: 'boolean' })
  isApproved: boolean;

  /** Output of the tool, for the templates of later steps; null until the step ended. */
  @Column({ name: 'output', type: 'text', nullable: true, transformer: JSON_TEXT })
  output: JsonObject | null;

  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true })
  endedAt: Date | null;
}
