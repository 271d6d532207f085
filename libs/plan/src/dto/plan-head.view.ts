import { IsIn, IsString } from 'class-validator';
import { PHASES, PLAN_STATES, type Phase, type PlanState } from '../domain/plan-state.js';
import { stageOfPlan } from '../plan-situation.js';
import type { PlanRow } from '../plan.entity.js';

/** What the result of every plan method says about the plan. */
export class PlanHeadView {
  @IsString()
  plan_id: string;

  @IsIn(PHASES)
  phase: Phase;

  @IsIn(PLAN_STATES)
  state: PlanState;

  /** `<phase>/<state>` */
  @IsString()
  status: string;
}

export function toPlanHead(plan: PlanRow): PlanHeadView {
  return { plan_id: plan.id, phase: plan.phase, state: plan.state, status: stageOfPlan(plan) };
}
