import { describe, expect, it } from 'vitest';
import {
  artifactsOf,
  buildTree,
  correctionImpact,
  currentLeaf,
  downstreamOf,
  namedDecisions,
  summarise,
  type Decision,
  type DecisionNode,
} from './decision-tree.js';

function decision(id: string, parentId: string | null, more: Partial<Decision> = {}): Decision {
  return {
    id,
    planId: 'plan',
    parentId,
    sequence: Number(id.slice(1)),
    phase: 'strategize',
    attempt: 1,
    type: 'implementation_choice',
    question: '?',
    chosen: id,
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
    actor: 'actor',
    createdAt: new Date(0),
    ...more,
  };
}

const TREE = [
  decision('d1', null, { type: 'prompt_definition' }),
  decision('d2', 'd1', { type: 'invariant_enforced' }),
  decision('d3', 'd1', { type: 'strategy_choice' }),
  decision('d5', 'd3', { artifacts: ['b.txt', 'a.txt'] }),
  decision('d4', 'd3', { isSuperseded: true }),
  decision('d6', 'd5', { type: 'tool_invocation', artifacts: ['a.txt'], childPlanId: 'child' }),
  decision('d7', 'd1', { influences: ['d6'] }),
];

function shape(node: DecisionNode | null): unknown {
  return node === null ? null : [node.decision.id, ...node.children.map(shape)];
}

describe('buildTree', () => {
  it('hangs decisions under their parents in the order of recording', () => {
    expect(shape(buildTree(TREE))).toEqual(['d1', ['d2'], ['d3', ['d5', ['d6']]], ['d7']]);
  });

  it('shows superseded decisions only when asked to', () => {
    expect(shape(buildTree(TREE, { showSuperseded: true }))).toEqual([
      'd1',
      ['d2'],
      ['d3', ['d4'], ['d5', ['d6']]],
      ['d7'],
    ]);
  });

  it('ends after the number of levels asked for', () => {
    expect(shape(buildTree(TREE, { depth: 2 }))).toEqual(['d1', ['d2'], ['d3'], ['d7']]);
  });

  it('is null before there is a root', () => {
    expect(buildTree([])).toBeNull();
  });
});

describe('summarise', () => {
  it('counts what counts, and levels from one', () => {
    expect(summarise(TREE)).toEqual({ nodes: 6, depth: 4, childPlans: 1, invariants: 1, superseded: 1 });
  });

  it('is all zeros before anything was decided', () => {
    expect(summarise([])).toEqual({ nodes: 0, depth: 0, childPlans: 0, invariants: 0, superseded: 0 });
  });
});

describe('namedDecisions', () => {
  it('names the root, the strategy, and each invariant by its number', () => {
    expect(namedDecisions(TREE)).toEqual({ root: 'd1', invariant_1: 'd2', strategy: 'd3' });
  });
});

describe('downstreamOf', () => {
  it('follows children and influences, without the decision itself and what is superseded', () => {
    expect(downstreamOf(TREE, 'd3').map(({ id }) => id)).toEqual(['d5', 'd6', 'd7']);
    expect(downstreamOf(TREE, 'd2')).toEqual([]);
  });
});

describe('correctionImpact', () => {
  it.each([
    ['low', TREE.slice(0, 2), false],
    ['medium', TREE.slice(3, 4), false],
    ['medium', TREE.slice(0, 3), false],
    ['high', [], true],
    ['high', Array.from({ length: 11 }, (_, index) => decision(`d${index}`, null)), false],
  ] as const)('is %s', (impact, downstream, isChildApplied) => {
    expect(correctionImpact(downstream, isChildApplied)).toBe(impact);
  });
});

describe('artifactsOf', () => {
  it('names each path once, sorted', () => {
    expect(artifactsOf(TREE)).toEqual(['a.txt', 'b.txt']);
  });
});

describe('currentLeaf', () => {
  it('is the newest decision that counts, however the list is ordered', () => {
    expect(currentLeaf(TREE)?.id).toBe('d7');
    expect(currentLeaf(TREE.toReversed())?.id).toBe('d7');
    expect(currentLeaf([decision('d9', null, { isSuperseded: true })])).toBeNull();
  });
});
