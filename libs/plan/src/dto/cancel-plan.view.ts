import { IsArray, IsObject, IsString } from 'class-validator';
import { PlanHeadView } from './plan-head.view.js';

/** Result of plan/cancel. */
export class CancelPlanView extends PlanHeadView {
  @IsString()
  reason: string;

  @IsString()
  cancelled_at: string;

  @IsObject()
  sandbox: { status: string; files_modified: number; checkpoints: number };

  @IsObject()
  child_plans: { completed: number; cancelled: number; artifacts_preserved: number };

  /** What can still be done. */
  @IsArray()
  @IsString({ each: true })
  recovery: string[];
}
