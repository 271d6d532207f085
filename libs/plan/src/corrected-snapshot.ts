import type { Steps } from '@cleveragents/actor';
import { ValidationError, type FieldProblem } from '@cleveragents/kernel';
import type { ActorStep } from '@cleveragents/registry';
import type { Correction, StepCorrection } from './domain/correction.js';
import { resolveArguments } from './plan-arguments.js';
import type { PlanSnapshot } from './plan-snapshot.entity.js';

export type StepCorrections = Readonly<Record<string, StepCorrection>>;

/** The snapshot with what a person corrected laid over it; what was frozen stays readable beneath. */
export function correctedSnapshot(
  snapshot: PlanSnapshot,
  correction: Pick<Correction, 'arguments' | 'steps'>,
  mayCorrect: (stepId: string) => boolean,
): PlanSnapshot {
  const { arguments: patch, steps } = correction;
  if (steps !== null) requireSteps(snapshot, Object.keys(steps), mayCorrect);
  const { spec } = snapshot.action;
  return {
    ...snapshot,
    ...(patch === null
      ? {}
      : { arguments: resolveArguments(spec.arguments, { ...snapshot.arguments, ...patch }, 'correction.arguments') }),
    ...(steps === null ? {} : { stepCorrections: { ...snapshot.stepCorrections, ...steps } }),
  };
}

/** An actor's steps as they were corrected: some with other inputs, some left out. */
export function correctedSteps(source: Steps, corrections: StepCorrections = {}): Steps {
  const isLeftOut = (id: string): boolean => corrections[id] === 'skip';
  return {
    steps: source.steps.filter(({ id }) => !isLeftOut(id)).map((step) => withInputs(step, corrections[step.id])),
    strategies: source.strategies.map((strategy) => ({
      ...strategy,
      steps: strategy.steps.filter((id) => !isLeftOut(id)),
    })),
  };
}

function withInputs(step: ActorStep, correction: StepCorrection | undefined): ActorStep {
  if (correction === undefined || correction === 'skip') return step;
  return { ...step, inputs: { ...step.inputs, ...correction.inputs } };
}

function requireSteps({ actors }: PlanSnapshot, ids: readonly string[], mayCorrect: (stepId: string) => boolean): void {
  const known = new Set([...actors.execution.spec.steps, ...actors.strategy.spec.steps].map(({ id }) => id));
  const problems = ids.flatMap((id): FieldProblem[] => {
    const path = `correction.steps.${id}`;
    if (!known.has(id)) return [{ path, message: 'is no step of the plan’s actors' }];
    return mayCorrect(id)
      ? []
      : [{ path, message: 'does not rest on this decision: correct the one that it rests on' }];
  });
  if (problems.length > 0) throw new ValidationError(problems);
}
