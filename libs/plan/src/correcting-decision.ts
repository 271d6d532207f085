import { ValidationError, newUlid } from '@cleveragents/kernel';
import type { Correction } from './domain/correction.js';
import type { Alternative, Decision } from './domain/decision-tree.js';
import type { DecisionDraft } from './plan-journal.js';
import type { PlanSnapshot } from './plan-snapshot.entity.js';
import { strategySource } from './step-source.js';

/** The decision that takes the place of a corrected one: of the same kind where a person can decide it in full. */
export function correctingDecision(
  target: Decision,
  correction: Correction,
  snapshot: PlanSnapshot,
  actor: string,
): DecisionDraft {
  const rationale = correction.guidance ?? 'Decided by a correction';
  const base = { id: newUlid(), question: target.question, corrects: target.id, rationale, actor };
  const { type, parentId, stepId } = target;
  if (type === 'strategy_choice') {
    const alternatives = chosenAlternatives(target, correction.choose);
    const chosen = alternatives.find((alternative) => alternative.chosen)?.description ?? target.chosen;
    const confidence = confidenceOf(chosen, snapshot) ?? target.confidence;
    return { ...base, type, parentId, alternatives, chosen, confidence };
  }
  if (correction.choose !== null) throw noAlternative(target.alternatives.length);
  if (type === 'implementation_choice') {
    return { ...base, type, parentId, stepId, chosen: correctedStepText(target, correction), confidence: 1 };
  }
  const chosen = summaryOf(correction);
  return { ...base, type: 'user_intervention', parentId: parentId ?? target.id, chosen };
}

/** What a correction asks for, in few words. */
export function summaryOf({ guidance, choose, arguments: values, steps }: Correction): string {
  const parts = [
    ...(choose === null ? [] : [`alternative ${choose}`]),
    ...(values === null ? [] : [`arguments: ${Object.keys(values).join(', ')}`]),
    ...(steps === null ? [] : [`steps: ${Object.keys(steps).join(', ')}`]),
  ];
  return guidance ?? parts.join('; ');
}

function chosenAlternatives({ alternatives }: Decision, choose: number | null): readonly Alternative[] {
  if (choose === null) return alternatives;
  const wanted = alternatives.find(({ index }) => index === choose);
  if (wanted === undefined) throw noAlternative(alternatives.length);
  if (wanted.chosen) throw ValidationError.of('correction.choose', 'is what was chosen already');
  return alternatives.map(({ index, description }) => {
    if (index === choose) return { index, description, chosen: true };
    return { index, description, chosen: false, reasonRejected: 'another one was chosen by a correction' };
  });
}

function noAlternative(count: number): ValidationError {
  return ValidationError.of('correction.choose', `must be one of the ${count} alternatives of the decision`);
}

function confidenceOf(strategyId: string, snapshot: PlanSnapshot): number | null {
  return strategySource(snapshot)?.strategies.find(({ id }) => id === strategyId)?.confidence ?? null;
}

function correctedStepText({ stepId, chosen }: Decision, { steps }: Correction): string {
  const correction = stepId === null ? undefined : steps?.[stepId];
  if (correction === undefined) return chosen;
  if (correction === 'skip') return `${stepId}: left out`;
  return `${stepId}: with other ${Object.keys(correction.inputs).join(', ')}`;
}
