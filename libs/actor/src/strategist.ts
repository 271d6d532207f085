import { PlanError, type JsonObject } from '@cleveragents/kernel';
import type { ActorStep, ActorStrategy, ToolActorSpec } from '@cleveragents/registry';
import { holds, type Place } from './when.js';

/** An alternative as it was weighed, in order of preference. */
export interface StrategyOption {
  readonly id: string;
  readonly title: string;
  readonly isChosen: boolean;
  readonly reasonRejected?: string;
}

/** One thing that will be done; without a tool it only says what. */
export interface PlannedStep {
  readonly id: string;
  readonly description: string;
  readonly tool: string | null;
  readonly confidence: number;
}

export interface Strategy {
  readonly id: string;
  readonly title: string;
  readonly confidence: number;
  readonly rationale: string;
  readonly options: readonly StrategyOption[];
  readonly steps: readonly PlannedStep[];
}

/** A deterministic actor: what it does is written, no model is asked. */
export type Steps = Pick<ToolActorSpec, 'strategies' | 'steps'>;

/** Chooses the first strategy whose condition holds at `target`, the head that the plan will start from. */
export async function chooseStrategy(actor: Steps, target: Place, scope: JsonObject): Promise<Strategy> {
  const options: StrategyOption[] = [];
  let chosen: ActorStrategy | null = null;
  for (const strategy of strategiesOf(actor)) {
    const isPossible = strategy.when === undefined || (await holds(strategy.when, target, scope));
    const isChosen = chosen === null && isPossible;
    if (isChosen) chosen = strategy;
    options.push(optionOf(strategy, isChosen, isPossible));
  }
  if (chosen === null) throw noStrategy(options);
  return asStrategy(actor, chosen, options);
}

/** A strategy that was decided before, by its id: nothing is weighed again. */
export function recallStrategy(actor: Steps, id: string): Strategy {
  const strategy = strategiesOf(actor).find((candidate) => candidate.id === id);
  if (strategy === undefined) {
    throw new PlanError(`The actor has no strategy "${id}"`, { strategy: id }, { reason: 'UNKNOWN_STRATEGY' });
  }
  return { ...asStrategy(actor, strategy, []), rationale: 'Decided before' };
}

/** Steps without strategies are one implicit strategy of all of them. */
function strategiesOf(actor: Steps): readonly ActorStrategy[] {
  if (actor.strategies.length > 0) return actor.strategies;
  const steps = actor.steps.map((step) => step.id);
  return [{ id: 'all-steps', title: 'Carry out every step', confidence: 1, steps }];
}

function optionOf({ id, title }: ActorStrategy, isChosen: boolean, isPossible: boolean): StrategyOption {
  if (isChosen) return { id, title, isChosen };
  const reasonRejected = isPossible ? 'an earlier strategy was possible' : 'its condition does not hold';
  return { id, title, isChosen, reasonRejected };
}

function asStrategy(actor: Steps, chosen: ActorStrategy, options: readonly StrategyOption[]): Strategy {
  const { id, title, confidence } = chosen;
  const rationale = chosen.when === undefined ? 'it has no condition' : 'its condition holds on the target';
  const steps = stepsById(actor, chosen.steps).map(asPlannedStep);
  return { id, title, confidence, rationale: `First possible strategy: ${rationale}`, options, steps };
}

function asPlannedStep({ id, title, tool, confidence }: ActorStep): PlannedStep {
  return { id, description: `${id}: ${title ?? tool}`, tool, confidence };
}

/** The actor's steps in the order asked for. */
export function stepsById(actor: Steps, ids: readonly string[]): ActorStep[] {
  return ids.map((id) => {
    const step = actor.steps.find((candidate) => candidate.id === id);
    if (step !== undefined) return step;
    throw new PlanError(`The actor has no step "${id}"`, { step: id }, { reason: 'UNKNOWN_STEP' });
  });
}

function noStrategy(options: readonly StrategyOption[]): PlanError {
  const names = options.map(({ id }) => id).join(', ');
  return new PlanError(`None of the strategies is possible here: ${names}`, {}, { reason: 'NO_STRATEGY' });
}
