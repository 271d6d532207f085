import { IsBoolean, IsInt, IsOptional, Max, Min } from 'class-validator';
import { PlanIdParams } from './plan-id.params.js';

/** The decisions of a plan as a tree. */
export class PlanTreeParams extends PlanIdParams {
  /** Number of levels. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(1000)
  depth?: number;

  @IsOptional()
  @IsBoolean()
  show_superseded?: boolean;
}
