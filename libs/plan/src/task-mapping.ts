import { isTerminal, type TaskState } from '@cleveragents/protocol';
import { stateOf, type AwaitingKind, type Stage } from './domain/plan-state.js';

export interface MappedPlan {
  readonly stage: Stage;
  readonly awaiting: AwaitingKind | null;
  readonly isRecoverable: boolean;
  readonly isReadOnly: boolean;
  /** Nobody is there to answer (profile `ci`). */
  readonly isUnattended: boolean;
  /** Nobody answered for longer than the attention limit. */
  readonly isAttentionOver: boolean;
  /** State of the plan's present task; null = it is about to be created. */
  readonly taskState: TaskState | null;
}

/** The A2A state of a plan's task. */
export function taskStateOf(plan: MappedPlan): TaskState {
  if (plan.stage === 'apply/applied') return 'TASK_STATE_COMPLETED';
  if (plan.stage === 'execute/complete' && plan.isReadOnly) return 'TASK_STATE_COMPLETED';
  if (stateOf(plan.stage) === 'cancelled') return 'TASK_STATE_CANCELED';
  if (waitsForPerson(plan)) return needsGivingUp(plan) ? 'TASK_STATE_FAILED' : 'TASK_STATE_INPUT_REQUIRED';
  return isUntouched(plan) ? 'TASK_STATE_SUBMITTED' : 'TASK_STATE_WORKING';
}

/** A terminal task is never reopened: the plan that goes on after one gets a new task in the same context. */
export function needsNewTask(plan: MappedPlan): boolean {
  return plan.taskState !== null && isTerminal(plan.taskState) && !isTerminal(taskStateOf(plan));
}

function waitsForPerson(plan: MappedPlan): boolean {
  const state = stateOf(plan.stage);
  return plan.awaiting !== null || state === 'errored' || state === 'constrained';
}

function needsGivingUp(plan: MappedPlan): boolean {
  const isFinal = stateOf(plan.stage) === 'errored' && !plan.isRecoverable;
  return isFinal || plan.isUnattended || plan.isAttentionOver;
}

/** `submitted` is a beginning: a task that was ever more than that does not return to it. */
function isUntouched(plan: MappedPlan): boolean {
  const isFresh = plan.taskState === null || plan.taskState === 'TASK_STATE_SUBMITTED';
  return plan.stage === 'strategize/queued' && isFresh;
}
