import { stageOf, type Situation, type Stage } from './domain/plan-state.js';
import type { PlanRow } from './plan.entity.js';

export function stageOfPlan({ phase, state }: PlanRow): Stage {
  return stageOf(phase, state);
}

/** A worker may take it: nothing has to be answered first. */
export function isDue({ state, awaiting }: PlanRow): boolean {
  return state === 'queued' && awaiting === null;
}

export function situationOf(plan: PlanRow): Situation {
  return {
    stage: stageOfPlan(plan),
    awaiting: plan.awaiting?.kind ?? null,
    isRecoverable: plan.isRecoverable,
    isReadOnly: plan.isReadOnly,
    isSandboxKept: plan.isSandboxKept,
    isCommitted: plan.isCommitted,
    hasSandbox: plan.sandboxes.length > 0 && plan.isSandboxKept && !plan.isRebaseDue,
    isReverted: plan.applyOutcome?.reversal !== undefined,
  };
}
