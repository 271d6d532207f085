import { stageOf, type Situation, type Stage } from './domain/plan-state.js';
import type { PlanRow } from './plan.entity.js';

export function stageOfPlan({ phase, state }: PlanRow): Stage {
  return stageOf(phase, state);
}

export function situationOf(plan: PlanRow): Situation {
  return {
    stage: stageOfPlan(plan),
    awaiting: plan.awaiting?.kind ?? null,
    isRecoverable: plan.isRecoverable,
    isReadOnly: plan.isReadOnly,
    isSandboxKept: plan.isSandboxKept,
    isCommitted: plan.isCommitted,
  };
}
