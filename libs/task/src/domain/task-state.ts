import { BusinessRuleViolation } from '@cleveragents/kernel';
import { isTerminal, type TaskState } from '@cleveragents/protocol';

/**
 * A task that is over takes nothing more: no status, artifact, message or subscriber. The first terminal write wins
 * (A2A 1.0 §3.1.1, §3.1.5, §3.1.6).
 */
export function assertOpen(state: TaskState): void {
  if (isTerminal(state)) throw unsupported(`The task is ${stateName(state)}`, state);
}

/** A task moves freely between its open states, but never back to submitted. */
export function assertCanMove(from: TaskState, to: TaskState): void {
  assertOpen(from);
  if (to === 'TASK_STATE_SUBMITTED') throw unsupported(`A task that is ${stateName(from)} cannot start again`, from);
}

function unsupported(message: string, state: TaskState): BusinessRuleViolation {
  return new BusinessRuleViolation(message, { state: stateName(state) }, { reason: 'UNSUPPORTED_OPERATION' });
}

/** `TASK_STATE_INPUT_REQUIRED` reads `input-required` in messages and audit records. */
export function stateName(state: TaskState): string {
  return state.slice('TASK_STATE_'.length).toLowerCase().replace('_', '-');
}

/** Somebody works on the task or is about to: it needs a live runner. */
export function isActive(state: TaskState): boolean {
  return state === 'TASK_STATE_SUBMITTED' || state === 'TASK_STATE_WORKING';
}
