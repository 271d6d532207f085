import { IsArray, IsObject, IsOptional, IsString } from 'class-validator';
import type { AwaitingView } from './plan-status.view.js';

export interface ListedPlanView {
  readonly id: string;
  readonly plan_id: string;
  readonly namespaced_name: string;
  readonly phase: string;
  readonly state: string;
  readonly status: string;
  readonly action: string;
  readonly project: string;
  readonly elapsed_ms: number;
  readonly created: string;
  readonly updated: string;
  readonly awaiting: AwaitingView | null;
}

/** Result of plan/list. */
export class ListPlansView {
  @IsArray()
  plans: ListedPlanView[];

  @IsObject()
  filters: { phase: string | null; state: string | null; project: string | null; action: string | null };

  /** Over everything that the filters match, whatever the page shows. */
  @IsObject()
  summary: { total: number; processing: number; completed: number; errored: number; cancelled: number };

  @IsOptional()
  @IsString()
  next_cursor: string | null;
}
