import { BusinessRuleViolation } from '@cleveragents/kernel';
import { isTerminal, type TaskState } from '@cleveragents/protocol';

/**
 * A task moves freely between its open states, never back to submitted, and never out of a terminal one: the first
 * terminal write wins (A2A 1.0 §3.1.5, §3.4).
 */
export function canMove(from: TaskState, to: TaskState): boolean {
  return !isTerminal(from) && to !== 'TASK_STATE_SUBMITTED';
}

export function assertCanMove(from: TaskState, to: TaskState): void {
  if (canMove(from, to)) return;
  throw new BusinessRuleViolation(
    `A task that is ${stateName(from)} cannot become ${stateName(to)}`,
    { state: stateName(from) },
    { reason: 'UNSUPPORTED_OPERATION' },
  );
}

/** `TASK_STATE_INPUT_REQUIRED` reads `input-required` in messages and audit records. */
export function stateName(state: TaskState): string {
  return state.slice('TASK_STATE_'.length).toLowerCase().replace('_', '-');
}

/** Somebody works on the task or is about to: it needs a live runner. */
export function isActive(state: TaskState): boolean {
  return state === 'TASK_STATE_SUBMITTED' || state === 'TASK_STATE_WORKING';
}
