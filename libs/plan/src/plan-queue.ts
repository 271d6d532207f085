/** Queue of plans that have work to do; a job names one, `{plan_id}`. */
export const PLAN_QUEUE = 'plan-run';

/** Wake-up topic of plans that were taken from whoever works on them. */
export const PLAN_TOPIC = 'plan';
