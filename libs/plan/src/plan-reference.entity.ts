import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { PlanRow } from './plan.entity.js';

/** A registry entity that a plan uses, for look-ups from the entity's side. */
@Entity({ name: 'plan_reference' })
@Index('plan_reference_entity', ['kind', 'name', 'planId'])
export class PlanReferenceRow {
  @PrimaryColumn({ name: 'plan_id', type: 'text' })
  @ForeignKey(() => PlanRow, { name: 'plan_reference_plan', onDelete: 'CASCADE' })
  planId: string;

  @PrimaryColumn({ name: 'kind', type: 'text' })
  kind: string;

  @PrimaryColumn({ name: 'name', type: 'text' })
  name: string;
}
