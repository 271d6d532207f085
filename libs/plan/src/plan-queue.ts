import type { JsonObject } from '@cleveragents/kernel';
import type { PlanRow } from './plan.entity.js';

/** Queue of plans that have work to do; see jobOf. */
export const PLAN_QUEUE = 'plan-run';

/** Wake-up topic of plans that were taken from whoever works on them. */
export const PLAN_TOPIC = 'plan';

/** A job names its plan, and the call on whose behalf it runs. */
export function jobOf({ id, runOrigin }: Pick<PlanRow, 'id' | 'runOrigin'>): JsonObject {
  return { plan_id: id, correlation_id: runOrigin.correlationId };
}
