import { IsArray, IsInt, IsObject, IsOptional, IsString } from 'class-validator';
import { PlanHeadView } from './plan-head.view.js';

export interface ValidationView {
  readonly status: 'passed' | 'failed';
  readonly mode: string;
  readonly duration_s: number;
  readonly message: string;
}

/** Result of plan/apply. */
export class ApplyPlanView extends PlanHeadView {
  /** Number of changed files. */
  @IsInt()
  artifacts: number;

  @IsObject()
  changes: { insertions: number; deletions: number };

  @IsString()
  project: string;

  @IsOptional()
  @IsString()
  applied_at: string | null;

  @IsObject()
  validation: Record<string, ValidationView>;

  @IsOptional()
  @IsObject()
  sandbox_cleanup: { worktree: string; branch: string; checkpoint: string } | null;

  @IsObject()
  lifecycle: {
    phase: string;
    state: string;
    total_duration_ms: number;
    total_cost: number;
    decisions_made: number;
    child_plans: number;
  };

  @IsArray()
  commits: { resource: string; branch: string; commit: string; previous: string }[];

  @IsString()
  task_id: string;

  @IsArray()
  @IsString({ each: true })
  warnings: string[];
}
