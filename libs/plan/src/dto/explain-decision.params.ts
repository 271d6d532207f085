import { IsString, MaxLength } from 'class-validator';
import { PlanIdParams } from './plan-id.params.js';

/** Names one decision of a plan. */
export class ExplainDecisionParams extends PlanIdParams {
  @IsString()
  @MaxLength(64)
  decision_id: string;
}
