import type { JsonObject } from '@cleveragents/kernel';
import type { PlanSnapshot, PlanTarget } from './plan-snapshot.entity.js';

/** What templates of steps and conditions may name: `args`, `project`, `plan`. */
export function stepScope(planId: string, snapshot: PlanSnapshot, target: PlanTarget): JsonObject {
  return {
    args: argumentScope(snapshot),
    project: { name: target.project, namespace: target.projectNamespace },
    plan: { id: planId, action: snapshot.action.name },
  };
}

/** In an action's texts arguments stand by their bare names. An optional one that was not given is an empty text. */
export function argumentScope({ action, arguments: given }: PlanSnapshot): JsonObject {
  const empty = action.spec.arguments.map(({ name }) => [name, ''] as const);
  return { ...Object.fromEntries(empty), ...given };
}
