import { IsIn, IsInt, IsISO8601, IsOptional, IsString, Max, Min } from 'class-validator';
import { PHASES, PLAN_STATES, type Phase, type PlanState } from '../domain/plan-state.js';

/** Filters of a list of plans, newest first. */
export class ListPlansParams {
  @IsOptional()
  @IsString()
  namespace?: string;

  @IsOptional()
  @IsString()
  project?: string;

  @IsOptional()
  @IsString()
  action?: string;

  @IsOptional()
  @IsIn(PHASES)
  phase?: Phase;

  @IsOptional()
  @IsIn(PLAN_STATES)
  state?: PlanState;

  @IsOptional()
  @IsString()
  created_by?: string;

  /** Created at or after this time. */
  @IsOptional()
  @IsISO8601({ strict: true })
  since?: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number;

  /** `next_cursor` of the page before. */
  @IsOptional()
  @IsString()
  cursor?: string;
}
