import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { PlanIdParams } from './plan-id.params.js';

export const ANSWERS = ['approve', 'reject'] as const;
export type Answer = (typeof ANSWERS)[number];

/** An answer to what the plan waits for. */
export class ApprovalParams {
  @IsOptional()
  @IsString()
  decision_id?: string;

  @IsIn(ANSWERS)
  answer: Answer;

  @IsOptional()
  @IsString()
  @MaxLength(8000)
  note?: string;
}

/** Drives a plan forward, as far as its gates and `until` allow. */
export class ExecutePlanParams extends PlanIdParams {
  @IsOptional()
  @IsIn(['strategize', 'execute'])
  until?: 'strategize' | 'execute';

  /** Waits, at most a minute, until the plan rests. */
  @IsOptional()
  @IsBoolean()
  wait?: boolean;

  /** Takes up a cancelled plan. */
  @IsOptional()
  @IsBoolean()
  resume?: boolean;

  @IsOptional()
  @ValidateNested()
  @Type(() => ApprovalParams)
  approve?: ApprovalParams;
}
