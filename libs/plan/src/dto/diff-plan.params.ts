import { ArrayMaxSize, IsArray, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { PlanIdParams } from './plan-id.params.js';

/** What a plan changes. */
export class DiffPlanParams extends PlanIdParams {
  /** Compares what the plan changed before this correction with what it changes now. */
  @IsOptional()
  @IsString()
  @MaxLength(64)
  correction_id?: string;

  /** `unified` adds the patch as one text. */
  @IsOptional()
  @IsIn(['json', 'unified'])
  format?: 'json' | 'unified';

  /** Files or directories; absent = all. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(1000)
  @IsString({ each: true })
  paths?: string[];

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(20)
  context_lines?: number;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(10 * 1024 * 1024)
  max_bytes?: number;
}
