import { BusinessRuleViolation, DuplicateEntityError, ResourceNotFoundError } from '@cleveragents/kernel';
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

export const TASK_BUSY = 'TASK_BUSY';

/** The executor takes nothing while it works on an earlier message (decisions P11). */
export function taskIsBusy(): BusinessRuleViolation {
  return new BusinessRuleViolation('The task is working on an earlier message', {}, { reason: TASK_BUSY });
}

/** The request that makes the task was stored before: whoever sent it is answered that task. */
export class TaskExistsError extends DuplicateEntityError {
  constructor(
    readonly taskId: string,
    options?: ErrorOptions,
  ) {
    super('The task exists already', {}, options);
  }
}
