import { IsBoolean, IsOptional, IsString, MaxLength } from 'class-validator';
import { PlanIdParams } from './plan-id.params.js';

/** Takes back what a plan did; without anything else its last step. */
export class RollbackPlanParams extends PlanIdParams {
  /** Where to go back to: an id as `list` shows it, or its beginning. */
  @IsOptional()
  @IsString()
  @MaxLength(64)
  checkpoint_id?: string;

  /** Only lists the checkpoints. */
  @IsOptional()
  @IsBoolean()
  list?: boolean;

  /** Takes an applied plan back, by a further commit on its targets. */
  @IsOptional()
  @IsBoolean()
  undo_apply?: boolean;

  /** Only tells what would be taken back. */
  @IsOptional()
  @IsBoolean()
  dry_run?: boolean;
}
