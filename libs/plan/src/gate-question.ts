import type { Phase } from './domain/plan-state.js';
import type { PlanSnapshot } from './plan-snapshot.entity.js';
import type { Awaiting } from './plan.entity.js';

const QUESTIONS: Readonly<Record<Phase, string>> = {
  strategize: 'choose a strategy',
  execute: 'carry out the strategy in a sandbox',
  apply: 'merge the changes into the target',
};

/** What a person is asked before a phase whose gate is shut. */
export function gateQuestion(phase: Phase, { action }: PlanSnapshot, since: Date): Awaiting {
  const prompt = `May the plan of ${action.name} ${QUESTIONS[phase]}? Answer "approve" or "reject".`;
  return { kind: 'phase_gate', prompt, decisionId: null, step: null, since: since.toISOString() };
}
