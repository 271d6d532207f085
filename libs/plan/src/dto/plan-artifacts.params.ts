import { IsOptional, IsString, MaxLength, MinLength } from 'class-validator';
import { PlanIdParams } from './plan-id.params.js';

/** The files that a plan changed; with `path` also what one of them holds. */
export class PlanArtifactsParams extends PlanIdParams {
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(4096)
  path?: string;
}
