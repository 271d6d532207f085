import { IsOptional, IsString, MaxLength } from 'class-validator';
import { PlanIdParams } from './plan-id.params.js';

/** Ends a plan; its sandbox is kept for a while. */
export class CancelPlanParams extends PlanIdParams {
  @IsOptional()
  @IsString()
  @MaxLength(500)
  reason?: string;
}
