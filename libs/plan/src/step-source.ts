import type { Steps } from '@cleveragents/actor';
import { correctedSteps, type StepCorrections } from './corrected-snapshot.js';
import type { PlanSnapshot } from './plan-snapshot.entity.js';

/** Whose strategies are weighed; null = neither actor has any, and the definition of done is all there is. */
export function strategySource({ actors, stepCorrections }: PlanSnapshot): Steps | null {
  return sourceOf([actors.strategy.spec, actors.execution.spec], stepCorrections);
}

/** Whose steps are carried out: the execution actor's own, else those that the strategy actor wrote down. */
export function stepSource({ actors, stepCorrections }: PlanSnapshot): Steps | null {
  return sourceOf([actors.execution.spec, actors.strategy.spec], stepCorrections);
}

function sourceOf(specs: readonly Steps[], corrections?: StepCorrections): Steps | null {
  const found = specs.find(hasSteps);
  return found === undefined ? null : correctedSteps(found, corrections);
}

function hasSteps({ strategies, steps }: Steps): boolean {
  return strategies.length > 0 || steps.length > 0;
}
