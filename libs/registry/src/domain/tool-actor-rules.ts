import type { FieldProblem, JsonValue } from '@cleveragents/kernel';
import type { ActorStep, ActorStrategy, ToolActorSpec } from './actor-spec.js';
import { conditionProblems } from './condition-rules.js';
import { templateProblems } from './template.js';
import { repeatProblems } from './unique.js';

/** A deterministic actor holds together: ids are unique, strategies name steps, every condition and template is known. */
export function toolActorProblems({ strategies, steps }: ToolActorSpec): FieldProblem[] {
  const stepIds = new Set(steps.map((step) => step.id));
  return [
    ...(steps.length === 0 ? [{ path: 'steps', message: 'must have at least one step' }] : []),
    ...repeatProblems(ids(steps), (index) => `steps.${index}.id`),
    ...repeatProblems(ids(strategies), (index) => `strategies.${index}.id`),
    ...steps.flatMap((step, index) => stepProblems(step, `steps.${index}`, stepIds)),
    ...strategies.flatMap((strategy, index) => strategyProblems(strategy, `strategies.${index}`, stepIds)),
  ];
}

function ids(items: readonly { readonly id: string }[]): string[] {
  return items.map((item) => item.id);
}

function stepProblems(step: ActorStep, path: string, stepIds: ReadonlySet<string>): FieldProblem[] {
  const others = new Set([...stepIds].filter((id) => id !== step.id));
  return [
    ...templateProblems(step.inputs, `${path}.inputs`, others),
    ...whenProblems(step.when as JsonValue | undefined, `${path}.when`, others),
  ];
}

/** A strategy is chosen before any step has run, so its condition knows no outputs. */
function strategyProblems(strategy: ActorStrategy, path: string, stepIds: ReadonlySet<string>): FieldProblem[] {
  return [
    ...strategy.steps.flatMap((id, index) =>
      stepIds.has(id)
        ? []
        : [{ path: `${path}.steps.${index}`, message: `names the step "${id}", which does not exist` }],
    ),
    ...repeatProblems(strategy.steps, (index) => `${path}.steps.${index}`),
    ...whenProblems(strategy.when as JsonValue | undefined, `${path}.when`, new Set()),
  ];
}

function whenProblems(when: JsonValue | undefined, path: string, stepIds: ReadonlySet<string>): FieldProblem[] {
  if (when === undefined) return [];
  return [...conditionProblems(when, path), ...templateProblems(when, path, stepIds)];
}
