import type { JsonObject } from '@cleveragents/kernel';
import type { ValidationMode } from '@cleveragents/registry';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { JSON_TEXT } from './json-text.js';
import { PlanRow } from './plan.entity.js';

/** The newest answer of a validation. */
@Entity({ name: 'plan_validation_result' })
export class PlanValidationResultRow {
  @PrimaryColumn({ name: 'plan_id', type: 'text' })
  @ForeignKey(() => PlanRow, { name: 'plan_validation_result_plan', onDelete: 'CASCADE' })
  planId: string;

  /** Place in the snapshot's list of validations. */
  @PrimaryColumn({ name: 'ordinal', type: 'integer' })
  ordinal: number;

  @Column({ name: 'validation', type: 'text' })
  validation: string;

  @Column({ name: 'mode', type: 'text' })
  mode: ValidationMode;

  @Column({ name: 'passed', type: 'boolean' })
  passed: boolean;

  /** What the validation reported: message, exit code, output. */
  @Column({ name: 'report', type: 'text', transformer: JSON_TEXT })
  report: JsonObject;

  @Column({ name: 'duration_ms', type: 'integer' })
  durationMs: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
