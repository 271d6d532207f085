import { TASK_STATES } from '@cleveragents/protocol';
import { describe, expect, it } from 'vitest';
import { assertCanMove, stateName } from './task-state.js';

function canMove(from: (typeof TASK_STATES)[number], to: (typeof TASK_STATES)[number]): boolean {
  try {
    assertCanMove(from, to);
    return true;
  } catch {
    return false;
  }
}

describe('the states of a task', () => {
  it('lead from every open one to every one but submitted, and from a terminal one nowhere', () => {
    const from = TASK_STATES.filter((state) => TASK_STATES.some((to) => canMove(state, to)));
    expect(from.map(stateName)).toEqual(['submitted', 'working', 'input-required', 'auth-required']);
    for (const state of from) {
      expect(TASK_STATES.filter((to) => !canMove(state, to)).map(stateName)).toEqual(['submitted']);
    }
  });
});
