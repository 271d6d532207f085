import { IsArray, IsInt, IsObject, IsOptional, IsString } from 'class-validator';
import type { PlanFailure, PlanRow } from '../plan.entity.js';
import { PlanHeadView } from './plan-head.view.js';

export interface AwaitingView {
  readonly kind: string;
  readonly prompt: string;
  readonly decision_id?: string;
  readonly since: string;
}

export interface ErrorView {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly tool: string | null;
  readonly step: string | null;
  readonly checkpoint: string | null;
  readonly recoverable: boolean;
}

/** Result of plan/status. */
export class PlanStatusView extends PlanHeadView {
  @IsString()
  namespaced_name: string;

  @IsString()
  action: string;

  @IsString()
  project: string;

  @IsObject()
  automation: { profile: string; source: string; read_only: boolean };

  @IsInt()
  attempt: number;

  @IsArray()
  progress: { step: string; status: string }[];

  @IsObject()
  timing: { started: string | null; elapsed_ms: number; eta_ms: number | null };

  @IsObject()
  execution: {
    sandbox: string | null;
    tool_calls: number;
    files_modified: number;
    child_plans: number;
    checkpoints: number;
  };

  @IsObject()
  cost: { tokens_used: number; cost_so_far: number; estimated: number | null };

  @IsObject()
  validation: { required_passed: number; required_failed: number; informational_failed: number };

  @IsOptional()
  @IsObject()
  awaiting: AwaitingView | null;

  /** Only of a plan that did not get what it tried. */
  @IsOptional()
  @IsObject()
  error?: ErrorView;

  /** Only of an applied plan that was undone. */
  @IsOptional()
  @IsString()
  reverted_at?: string;

  @IsOptional()
  @IsString()
  revert_commit?: string | null;

  /** The present run's task; `task_ids` names the former ones too, newest last. */
  @IsString()
  task_id: string;

  @IsArray()
  @IsString({ each: true })
  task_ids: string[];

  @IsArray()
  @IsString({ each: true })
  allowed_methods: string[];
}

export function toAwaitingView({ awaiting }: PlanRow): AwaitingView | null {
  if (awaiting === null) return null;
  const { kind, prompt, decisionId, since } = awaiting;
  return { kind, prompt, since, ...(decisionId === null ? {} : { decision_id: decisionId }) };
}

export function toErrorView(failure: PlanFailure, recoverable: boolean): ErrorView {
  const { type, reason, message, tool, step, checkpoint } = failure;
  return { type, reason, message, tool, step, checkpoint, recoverable };
}
