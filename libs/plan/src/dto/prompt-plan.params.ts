import { IsIn, IsOptional, IsString, MaxLength, MinLength } from 'class-validator';
import { ANSWERS, type Answer } from './execute-plan.params.js';
import { PlanIdParams } from './plan-id.params.js';

/** Guidance for a plan, or the answer to what it waits for. */
export class PromptPlanParams extends PlanIdParams {
  @IsString()
  @MinLength(1)
  @MaxLength(8000)
  message: string;

  /** The pending question that `answer` is for. */
  @IsOptional()
  @IsString()
  decision_id?: string;

  /** Without it the message is guidance and moves no gate. */
  @IsOptional()
  @IsIn(ANSWERS)
  answer?: Answer;
}
