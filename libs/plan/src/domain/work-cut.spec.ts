import { describe, expect, it } from 'vitest';
import type { Decision } from './decision-tree.js';
import { BEFORE_ALL_STEPS, cutAfter, ordinalOf, type WorkCheckpoint, type WorkStep } from './work-cut.js';

function step(target: number, stepId: string, ordinal: number): WorkStep {
  return { target, stepId, ordinal };
}

function checkpoint(ordinal: number, target: number, stepId: string | null): WorkCheckpoint {
  return { id: `cp${ordinal}`, target, ordinal, stepId, commit: `commit${ordinal}` };
}

function decision(id: string, more: Partial<Decision>): Decision {
  return {
    id,
    planId: 'P',
    parentId: null,
    sequence: 1,
    phase: 'execute',
    attempt: 1,
    type: 'tool_invocation',
    question: '',
    chosen: '',
    alternatives: [],
    confidence: null,
    rationale: '',
    contextSnapshot: { items: [], hotContextHash: null },
    influences: [],
    checkpointBefore: null,
    artifacts: [],
    stepId: null,
    childPlanId: null,
    isSuperseded: false,
    supersededBy: null,
    corrects: null,
    correction: null,
    actor: 'a',
    createdAt: new Date(0),
    ...more,
  };
}

/** Two targets, the same two steps in each; step b changes nothing in the first. */
const WORK = {
  steps: [step(0, 'a', 0), step(0, 'b', 1), step(1, 'a', 2), step(1, 'b', 3)],
  checkpoints: [
    checkpoint(0, 0, null),
    checkpoint(1, 1, null),
    checkpoint(2, 0, 'a'),
    checkpoint(3, 1, 'a'),
    checkpoint(4, 1, 'b'),
  ],
  decisions: [
    decision('plan-a', { type: 'implementation_choice', phase: 'strategize', stepId: 'a' }),
    decision('plan-b', { type: 'implementation_choice', phase: 'strategize', stepId: 'b' }),
    decision('a0', { parentId: 'plan-a', stepId: 'a', checkpointBefore: 'cp0' }),
    decision('b0', { parentId: 'plan-b', stepId: 'b', checkpointBefore: 'cp2' }),
    decision('a1', { parentId: 'plan-a', stepId: 'a', checkpointBefore: 'cp1' }),
    decision('approval', { type: 'user_intervention', parentId: 'plan-b' }),
    decision('b1', { parentId: 'plan-b', stepId: 'b', checkpointBefore: 'cp3' }),
    decision('remark', { type: 'user_intervention', parentId: 'b1' }),
    decision('old', { parentId: 'plan-b', stepId: 'b', checkpointBefore: 'cp3', isSuperseded: true }),
  ],
};

const ids = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);

describe('cutAfter', () => {
  it('keeps what came before, drops what came after, and finds the head of each target', () => {
    const cut = cutAfter(WORK, 2);
    expect(cut.kept.steps).toEqual(WORK.steps.slice(0, 3));
    expect(ids(cut.kept.checkpoints)).toEqual(['cp0', 'cp1', 'cp2', 'cp3']);
    expect(ids(cut.dropped.checkpoints)).toEqual(['cp4']);
    expect(ids(cut.heads)).toEqual(['cp2', 'cp3']);
  });

  it('drops calls with what rests on them and the answers that their steps got, and what was planned stays', () => {
    expect(ids(cutAfter(WORK, 2).dropped.decisions)).toEqual(['approval', 'b1', 'remark']);
  });

  it('tells the targets apart', () => {
    expect(ids(cutAfter(WORK, 0).dropped.decisions)).toEqual(['b0', 'a1', 'approval', 'b1', 'remark']);
  });

  it('keeps the checkpoint that each sandbox began with when all steps are dropped', () => {
    const cut = cutAfter(WORK, BEFORE_ALL_STEPS);
    expect(ids(cut.heads)).toEqual(['cp0', 'cp1']);
    expect(cut.kept.steps).toEqual([]);
  });

  it('drops nothing after the last step', () => {
    expect(cutAfter(WORK, 3).dropped).toEqual({ steps: [], checkpoints: [], decisions: [] });
  });
});

describe('ordinalOf', () => {
  it('is that of the step whose changes a checkpoint holds; the first ones come before all steps', () => {
    expect(WORK.checkpoints.map((item) => ordinalOf(WORK, item))).toEqual([-1, -1, 0, 2, 3]);
  });
});
