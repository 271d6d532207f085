import { IsArray, IsBoolean, IsObject, IsOptional, IsString } from 'class-validator';
import type { RevertedPath } from '@cleveragents/workspace';
import type { PlanCheckpointRow } from '../plan-checkpoint.entity.js';
import type { PlanRow } from '../plan.entity.js';
import { PlanHeadView, toPlanHead } from './plan-head.view.js';

export interface CheckpointView {
  readonly id: string;
  readonly label: string;
  readonly created: string;
  /** The step whose changes it holds; null for the first one. */
  readonly step: string | null;
  readonly commit: string;
}

/** Result of plan/rollback. With `list` only the checkpoints are told. */
export class RollbackPlanView extends PlanHeadView {
  @IsOptional()
  @IsObject()
  rollback_summary: { plan: string; checkpoint: string | null; label: string; files_reverted: number } | null;

  @IsArray()
  changes_reverted: { file: string; action: 'restored' | 'removed' }[];

  @IsOptional()
  @IsObject()
  impact: {
    child_plans_invalidated: number;
    sandbox: string;
    decisions_after_cp: number;
    tool_calls_after_cp: number;
  } | null;

  @IsObject()
  post_rollback_state: { phase: string; state: string; checkpoints_remaining: number };

  /** Oldest first. */
  @IsArray()
  checkpoints: CheckpointView[];

  @IsString()
  task_id: string;

  /** Nothing was changed. */
  @IsOptional()
  @IsBoolean()
  dry_run?: true;

  /** Of an undone plan: when, and by which commits. */
  @IsOptional()
  @IsString()
  reverted_at?: string;

  @IsOptional()
  @IsString()
  revert_commit?: string | null;

  @IsOptional()
  @IsArray()
  commits?: { resource: string; branch: string; commit: string; previous: string }[];
}

/** What is common to every kind of rollback. */
export function toRollbackView(plan: PlanRow, checkpoints: readonly PlanCheckpointRow[]): RollbackPlanView {
  const { phase, state, taskId } = plan;
  return {
    ...toPlanHead(plan),
    rollback_summary: null,
    changes_reverted: [],
    impact: null,
    post_rollback_state: { phase, state, checkpoints_remaining: checkpoints.length },
    checkpoints: checkpoints.map(toCheckpointView),
    task_id: taskId,
  };
}

export function toReverted(paths: readonly RevertedPath[]): RollbackPlanView['changes_reverted'] {
  return paths.map(({ path, action }) => ({ file: path, action }));
}

function toCheckpointView({ id, reason, createdAt, stepId, commit }: PlanCheckpointRow): CheckpointView {
  return { id, label: reason, created: createdAt.toISOString(), step: stepId, commit };
}
