import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Decision, DecisionType } from './domain/decision-tree.js';
import type { Phase } from './domain/plan-state.js';
import { JSON_TEXT } from './json-text.js';
import { PlanRow } from './plan.entity.js';

/** What a decision says; the columns beside it are what is searched and changed. */
export type DecisionContent = Pick<
  Decision,
  | 'question'
  | 'chosen'
  | 'alternatives'
  | 'confidence'
  | 'rationale'
  | 'contextSnapshot'
  | 'influences'
  | 'checkpointBefore'
  | 'artifacts'
  | 'stepId'
  | 'correction'
>;

@Entity({ name: 'plan_decision' })
@Index('plan_decision_sequence', ['planId', 'sequence'], { unique: true })
export class PlanDecisionRow {
  @PrimaryColumn({ name: 'id', type: 'text' })
  id: string;

  @Column({ name: 'plan_id', type: 'text' })
  @ForeignKey(() => PlanRow, { name: 'plan_decision_plan', onDelete: 'CASCADE' })
  planId: string;

  @Column({ name: 'parent_id', type: 'text', nullable: true })
  parentId: string | null;

  @Column({ name: 'sequence', type: 'integer' })
  sequence: number;

  @Column({ name: 'phase', type: 'text' })
  phase: Phase;

  @Column({ name: 'attempt', type: 'integer' })
  attempt: number;

  @Column({ name: 'type', type: 'text' })
  type: DecisionType;

  @Column({ name: 'content', type: 'text', transformer: JSON_TEXT })
  content: DecisionContent;

  @Column({ name: 'child_plan_id', type: 'text', nullable: true })
  childPlanId: string | null;

  @Column({ name: 'is_superseded', type: 'boolean' })
  isSuperseded: boolean;

  @Column({ name: 'superseded_by', type: 'text', nullable: true })
  supersededBy: string | null;

  @Column({ name: 'corrects', type: 'text', nullable: true })
  corrects: string | null;

  @Column({ name: 'actor', type: 'text' })
  actor: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
