import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { PlanRow } from './plan.entity.js';

/** The tasks of a plan: one per run, because a task that is over is never reopened. */
@Entity({ name: 'plan_task' })
@Index('plan_task_plan', ['planId', 'ordinal'])
export class PlanTaskRow {
  @PrimaryColumn({ name: 'task_id', type: 'text' })
  taskId: string;

  @Column({ name: 'plan_id', type: 'text' })
  @ForeignKey(() => PlanRow, { name: 'plan_task_plan_fk', onDelete: 'CASCADE' })
  planId: string;

  @Column({ name: 'ordinal', type: 'integer' })
  ordinal: number;
}
