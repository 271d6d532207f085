import { BusinessRuleViolation, ResourceNotFoundError } from '@cleveragents/kernel';
import type { TaskState } from '@cleveragents/protocol';
import { stateName } from './domain/task-state.js';

/** The same for an unknown id and for a task the caller may not see. */
export function taskNotFound(id: string): ResourceNotFoundError {
  return ResourceNotFoundError.of('Task', { id });
}

export function notCancelable(state: TaskState): BusinessRuleViolation {
  return new BusinessRuleViolation(
    `A task that is ${stateName(state)} cannot be canceled`,
    { state: stateName(state) },
    { reason: 'TASK_NOT_CANCELABLE' },
  );
}

/** The task is over, so it takes neither messages nor subscribers (A2A 1.0 §3.1.1, §3.1.6). */
export function taskIsOver(state: TaskState): BusinessRuleViolation {
  return new BusinessRuleViolation(
    `The task is ${stateName(state)}`,
    { state: stateName(state) },
    { reason: 'UNSUPPORTED_OPERATION' },
  );
}

/** Said instead of ignoring a webhook that would never be called. */
export function pushNotSupported(): BusinessRuleViolation {
  return new BusinessRuleViolation(
    'This server does not send push notifications',
    {},
    { reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED' },
  );
}
