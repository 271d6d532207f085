import { IsArray, IsInt, IsObject, IsOptional, IsString } from 'class-validator';
import { PlanHeadView } from './plan-head.view.js';

export interface SandboxView {
  readonly strategy: string;
  /** Only for who may look at the server's files. */
  readonly path?: string;
  readonly branch: string;
  readonly status: string;
}

/** Result of plan/execute. */
export class ExecutePlanView extends PlanHeadView {
  @IsOptional()
  @IsObject()
  sandbox: SandboxView | null;

  /** The process that works on the plan. */
  @IsOptional()
  @IsString()
  worker: string | null;

  @IsOptional()
  @IsString()
  started: string | null;

  @IsInt()
  attempt: number;

  /** What nobody has estimated is null or `unknown`. */
  @IsObject()
  strategy_summary: {
    decisions: number;
    invariants: number;
    planned_child_plans: number;
    estimated_files: number | null;
    risk: string;
  };

  @IsArray()
  progress: { label: string; status: string }[];

  @IsString()
  task_id: string;

  /** The method to go on with, where this one has nothing left to do. */
  @IsOptional()
  @IsString()
  hint?: string;
}
