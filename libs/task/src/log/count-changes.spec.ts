import { describe, expect, it } from 'vitest';
import { apply, COMPLETED, INPUT_REQUIRED, newFold, WORKING } from '../domain/task-fold.fixture.js';
import type { TaskDelta } from '../domain/task-fold.js';
import type { TaskChange } from '../task-journal.js';
import { countChanges } from './count-changes.js';

const created = (owner: string, ...changes: TaskChange[]): TaskDelta =>
  apply(newFold({ owner, namespace: 'ns' }), ...changes).takeDelta();

function moved(owner: string, ...changes: TaskChange[]): TaskDelta {
  const fold = newFold({ owner, namespace: 'ns' });
  fold.takeDelta();
  return apply(fold, ...changes).takeDelta();
}

const change = (owner: string, state: string, n: number) => ({
  owner,
  namespace: 'ns',
  state: `TASK_STATE_${state}`,
  n,
});

describe('the numbers of tasks', () => {
  it('grow where tasks are made, summed up per owner, namespace and state', () => {
    const deltas = [created('a'), created('a', WORKING), created('a', WORKING, COMPLETED), created('b'), created('a')];
    expect(countChanges(deltas)).toEqual([
      change('a', 'SUBMITTED', 2),
      change('a', 'WORKING', 1),
      change('a', 'COMPLETED', 1),
      change('b', 'SUBMITTED', 1),
    ]);
  });

  it('move with the tasks', () => {
    expect(countChanges([moved('a', WORKING, INPUT_REQUIRED)])).toEqual([
      change('a', 'INPUT_REQUIRED', 1),
      change('a', 'SUBMITTED', -1),
    ]);
  });

  it('stay where one comes and another goes, and where nothing moves', () => {
    expect(countChanges([created('a'), moved('a', WORKING)])).toEqual([change('a', 'WORKING', 1)]);
    expect(countChanges([moved('a')])).toEqual([]);
  });
});
