import { IsBoolean, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { PlanIdParams } from './plan-id.params.js';

/** Merges a finished plan into its targets. */
export class ApplyPlanParams extends PlanIdParams {
  /** Message of the merge commit. */
  @IsOptional()
  @IsString()
  @MaxLength(8000)
  message?: string;

  /** Applies a plan that changed nothing. */
  @IsOptional()
  @IsBoolean()
  allow_empty?: boolean;

  /** `changeset_hash` of the diff that was reviewed: anything else is refused. */
  @IsOptional()
  @Matches(/^sha256:[0-9a-f]{64}$/)
  expected_changeset?: string;

  /** Default: the branch of the resource. */
  @IsOptional()
  @IsString()
  @MaxLength(255)
  target_branch?: string;

  /** Waits, at most a minute, until the plan is applied; default true. */
  @IsOptional()
  @IsBoolean()
  wait?: boolean;
}
