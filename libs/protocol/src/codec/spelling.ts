import type { MessageRole, TaskState } from '../a2a.js';

/** Task states and roles as A2A 0.x spells them. */
export const STATE_IN_0X: Readonly<Record<TaskState, string>> = {
  TASK_STATE_SUBMITTED: 'submitted',
  TASK_STATE_WORKING: 'working',
  TASK_STATE_INPUT_REQUIRED: 'input-required',
  TASK_STATE_AUTH_REQUIRED: 'auth-required',
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_CANCELED: 'canceled',
  TASK_STATE_REJECTED: 'rejected',
};

/**
 * 0.1 has two states fewer. A client must still learn whether the task is over and whether it has to act: a rejected
 * task is over without a result (failed), a task that waits for credentials waits for the client (input-required).
 */
export const STATE_IN_01: Readonly<Record<TaskState, string>> = {
  ...STATE_IN_0X,
  TASK_STATE_REJECTED: STATE_IN_0X.TASK_STATE_FAILED,
  TASK_STATE_AUTH_REQUIRED: STATE_IN_0X.TASK_STATE_INPUT_REQUIRED,
};

export const ROLE_IN_0X: Readonly<Record<MessageRole, string>> = { ROLE_USER: 'user', ROLE_AGENT: 'agent' };

export const STATE_FROM_0X: ReadonlyMap<string, string> = inverted(STATE_IN_0X);
export const ROLE_FROM_0X: ReadonlyMap<string, string> = inverted(ROLE_IN_0X);

/**
 * Data parts of 0.x hold objects only. Any other value travels as `{ value }` under this metadata mark, the convention of
 * the official SDKs' own translation.
 */
export const WRAPPED_DATA_MARK = 'data_part_compat';

function inverted(spelling: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(spelling).map(([inside, wire]) => [wire, inside]));
}
