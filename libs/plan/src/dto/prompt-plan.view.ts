import { IsArray, IsIn, IsString } from 'class-validator';
import type { PlanRow } from '../plan.entity.js';
import { PlanHeadView, toPlanHead } from './plan-head.view.js';

const DELIVERIES = ['next_step', 'resumed', 'recorded'] as const;
export type Delivery = (typeof DELIVERIES)[number];

/** Result of plan/prompt. */
export class PromptPlanView extends PlanHeadView {
  /** The decision that keeps what was said. */
  @IsString()
  decision_id: string;

  @IsIn(DELIVERIES)
  delivered: Delivery;

  @IsArray()
  @IsString({ each: true })
  warnings: string[];
}

export function toPromptPlanView(
  plan: PlanRow,
  { decisionId, delivered }: { readonly decisionId: string; readonly delivered: Delivery },
): PromptPlanView {
  const warnings =
    delivered === 'recorded' ? ['The plan’s actors are deterministic: guidance is kept and shown, not followed'] : [];
  return { ...toPlanHead(plan), decision_id: decisionId, delivered, warnings };
}
