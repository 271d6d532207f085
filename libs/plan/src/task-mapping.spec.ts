import type { TaskState } from '@cleveragents/protocol';
import { describe, expect, it } from 'vitest';
import type { Stage } from './domain/plan-state.js';
import { needsNewTask, taskStateOf, type MappedPlan } from './task-mapping.js';

function plan(stage: Stage, more: Partial<MappedPlan> = {}): MappedPlan {
  return {
    stage,
    awaiting: null,
    isRecoverable: true,
    isReadOnly: false,
    isUnattended: false,
    isAttentionOver: false,
    taskState: 'TASK_STATE_WORKING',
    ...more,
  };
}

describe('the state of a plan’s task', () => {
  it.each<[TaskState, MappedPlan]>([
    ['TASK_STATE_SUBMITTED', plan('strategize/queued', { taskState: null })],
    ['TASK_STATE_SUBMITTED', plan('strategize/queued', { taskState: 'TASK_STATE_SUBMITTED' })],
    ['TASK_STATE_WORKING', plan('strategize/queued', { taskState: 'TASK_STATE_INPUT_REQUIRED' })],
    ['TASK_STATE_WORKING', plan('strategize/processing', { taskState: 'TASK_STATE_SUBMITTED' })],
    ['TASK_STATE_WORKING', plan('execute/queued')],
    ['TASK_STATE_WORKING', plan('apply/processing')],
    ['TASK_STATE_INPUT_REQUIRED', plan('strategize/queued', { awaiting: 'phase_gate', taskState: null })],
    ['TASK_STATE_INPUT_REQUIRED', plan('execute/queued', { awaiting: 'tool_approval' })],
    ['TASK_STATE_INPUT_REQUIRED', plan('execute/complete', { awaiting: 'phase_gate' })],
    ['TASK_STATE_INPUT_REQUIRED', plan('execute/errored')],
    ['TASK_STATE_INPUT_REQUIRED', plan('apply/constrained')],
    ['TASK_STATE_COMPLETED', plan('apply/applied')],
    ['TASK_STATE_COMPLETED', plan('execute/complete', { isReadOnly: true })],
    ['TASK_STATE_FAILED', plan('execute/errored', { isRecoverable: false })],
    ['TASK_STATE_FAILED', plan('execute/errored', { isUnattended: true })],
    ['TASK_STATE_FAILED', plan('apply/constrained', { isUnattended: true })],
    ['TASK_STATE_FAILED', plan('execute/complete', { awaiting: 'phase_gate', isAttentionOver: true })],
    ['TASK_STATE_CANCELED', plan('strategize/cancelled')],
    ['TASK_STATE_CANCELED', plan('apply/cancelled')],
  ])('is %s for $stage', (state, mapped) => {
    expect(taskStateOf(mapped)).toBe(state);
  });

  it('is that of a new task when the plan goes on after its task was over', () => {
    expect(needsNewTask(plan('execute/queued', { taskState: 'TASK_STATE_CANCELED' }))).toBe(true);
    expect(needsNewTask(plan('execute/queued', { taskState: 'TASK_STATE_INPUT_REQUIRED' }))).toBe(false);
    expect(needsNewTask(plan('apply/applied', { taskState: 'TASK_STATE_COMPLETED' }))).toBe(false);
    expect(needsNewTask(plan('strategize/queued', { taskState: null }))).toBe(false);
  });
});
