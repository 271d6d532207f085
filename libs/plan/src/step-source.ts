import type { Steps } from '@cleveragents/actor';
import type { PlanSnapshot } from './plan-snapshot.entity.js';

/** Whose strategies are weighed; null = neither actor has any, and the definition of done is all there is. */
export function strategySource({ actors }: PlanSnapshot): Steps | null {
  return [actors.strategy.spec, actors.execution.spec].find(hasSteps) ?? null;
}

/** Whose steps are carried out: the execution actor's own, else those that the strategy actor wrote down. */
export function stepSource({ actors }: PlanSnapshot): Steps | null {
  return [actors.execution.spec, actors.strategy.spec].find(hasSteps) ?? null;
}

function hasSteps({ strategies, steps }: Steps): boolean {
  return strategies.length > 0 || steps.length > 0;
}
