import { IsArray, IsBoolean, IsObject, IsOptional, IsString } from 'class-validator';
import { PlanHeadView } from './plan-head.view.js';

export interface CorrectionHistoryView {
  readonly correction_id: string;
  readonly mode: string;
  readonly decision_id: string;
  readonly corrects: string | null;
  readonly attempt: number;
  readonly at: string;
}

/** Result of plan/correct. */
export class CorrectPlanView extends PlanHeadView {
  @IsString()
  correction_id: string;

  @IsObject()
  correction: {
    mode: string;
    impact: 'low' | 'medium' | 'high';
    /** null in a dry run: it is not made then. */
    new_decision: string | null;
    corrects: string;
    attempt: number;
  };

  /** Of a reverting correction. */
  @IsOptional()
  @IsObject()
  affected_subtree?: {
    decisions_invalidated: number;
    child_plans_rolled_back: number;
    artifacts_archived: number;
    unaffected_decisions: number;
  };

  @IsOptional()
  @IsObject()
  sandbox_rollback?: { checkpoint: string | null; files_reverted: number; status: string };

  @IsOptional()
  @IsObject()
  recompute?: { queued: boolean; eta: string | null };

  /** Of one that adds. */
  @IsOptional()
  @IsObject()
  append_detail?: {
    original_decision_preserved: true;
    existing_artifacts_kept: number;
    additional_work: boolean;
    note: string;
  };

  @IsOptional()
  @IsObject()
  queued?: { new_child: string | null; eta: string | null };

  /** All corrections of the plan, oldest first. */
  @IsArray()
  history: CorrectionHistoryView[];

  @IsString()
  task_id: string;

  @IsArray()
  @IsString({ each: true })
  warnings: string[];

  /** Nothing was changed. */
  @IsOptional()
  @IsBoolean()
  dry_run?: true;

  /** null: nobody has measured it. */
  @IsOptional()
  estimated_recompute_time_seconds?: number | null;

  @IsOptional()
  @IsArray()
  decisions_to_invalidate?: string[];

  @IsOptional()
  @IsArray()
  excluded_decisions?: string[];
}
