import { BusinessRuleViolation } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import {
  STAGES,
  TRANSITIONS,
  allowedMethods,
  isAllowed,
  isTerminalStage,
  mayAppend,
  mayRevert,
  nextStage,
  phaseOf,
  stageOf,
  stateOf,
  wrongState,
  type Situation,
  type Stage,
  type Trigger,
} from './plan-state.js';

function at(stage: Stage, more: Partial<Situation> = {}): Situation {
  return {
    stage,
    awaiting: null,
    isRecoverable: true,
    isReadOnly: false,
    isSandboxKept: true,
    isCommitted: false,
    hasSandbox: false,
    isReverted: false,
    ...more,
  };
}

const TRIGGERS = [...new Set(TRANSITIONS.map(({ trigger }) => trigger))];

describe('the transition table', () => {
  it('leads from each stage by each trigger to at most one stage', () => {
    const pairs = TRANSITIONS.map(({ from, trigger }) => `${from} ${trigger}`);
    expect(new Set(pairs).size).toBe(pairs.length);
  });

  it('moves a plan along every row', () => {
    for (const { from, trigger, to } of TRANSITIONS) expect(nextStage(at(from), trigger)).toBe(to);
  });

  it('refuses every other pair, naming the state and what is allowed', () => {
    const known = new Set(TRANSITIONS.map(({ from, trigger }) => `${from} ${trigger}`));
    const others = STAGES.flatMap((stage) => TRIGGERS.map((trigger): [Stage, Trigger] => [stage, trigger])).filter(
      ([stage, trigger]) => !known.has(`${stage} ${trigger}`),
    );
    expect(others.length).toBeGreaterThan(100);
    for (const [stage, trigger] of others) {
      expect(() => nextStage(at(stage), trigger)).toThrow(BusinessRuleViolation);
    }
  });

  it('lets every plan that is not over be cancelled', () => {
    const cancellable = TRANSITIONS.filter(({ trigger }) => trigger === 'cancel').map(({ from }) => from);
    expect(cancellable.sort()).toEqual(STAGES.filter((stage) => !isTerminalStage(stage)).sort());
  });
});

describe('stages', () => {
  it('are sixteen, each made of a phase and a state', () => {
    expect(STAGES).toHaveLength(16);
    for (const stage of STAGES) expect(stageOf(phaseOf(stage), stateOf(stage))).toBe(stage);
  });

  it('do not mix what belongs to different phases', () => {
    expect(() => stageOf('strategize', 'applied')).toThrow('No plan can be in');
  });
});

describe('allowedMethods', () => {
  const changesOf = (situation: Situation): string[] =>
    allowedMethods(situation).filter(
      (method) => !['status', 'tree', 'explain', 'diff', 'artifacts'].includes(method.slice(5)),
    );

  it.each<[string, Situation, string[]]>([
    [
      'a plan before its first phase',
      at('strategize/queued'),
      ['plan/execute', 'plan/cancel', 'plan/correct', 'plan/prompt'],
    ],
    [
      'a plan before its execute gate',
      at('strategize/complete', { awaiting: 'phase_gate' }),
      ['plan/execute', 'plan/cancel', 'plan/correct', 'plan/prompt'],
    ],
    ['a plan in work', at('execute/processing'), ['plan/cancel', 'plan/correct', 'plan/prompt']],
    [
      'a plan whose step waits',
      at('execute/queued', { awaiting: 'tool_approval' }),
      ['plan/cancel', 'plan/correct', 'plan/prompt'],
    ],
    [
      'a plan that waits to go on',
      at('execute/queued', { awaiting: 'phase_gate' }),
      ['plan/execute', 'plan/cancel', 'plan/correct', 'plan/prompt'],
    ],
    [
      'a plan before its apply gate',
      at('execute/complete', { awaiting: 'phase_gate' }),
      ['plan/apply', 'plan/cancel', 'plan/correct', 'plan/prompt'],
    ],
    ['a finished read-only plan', at('execute/complete', { isReadOnly: true }), ['plan/cancel', 'plan/correct']],
    ['an errored plan', at('execute/errored'), ['plan/execute', 'plan/cancel', 'plan/correct', 'plan/prompt']],
    ['a plan that no retry mends', at('execute/errored', { isRecoverable: false }), ['plan/cancel', 'plan/correct']],
    [
      'a failed apply',
      at('apply/errored'),
      ['plan/execute', 'plan/apply', 'plan/cancel', 'plan/correct', 'plan/prompt'],
    ],
    [
      'a failed apply that no retry mends',
      at('apply/errored', { isRecoverable: false }),
      ['plan/cancel', 'plan/correct'],
    ],
    ['a conflict', at('apply/constrained'), ['plan/execute', 'plan/cancel', 'plan/correct']],
    ['a plan whose target moves', at('apply/processing', { isCommitted: true }), ['plan/prompt']],
    ['a cancelled plan', at('execute/cancelled'), ['plan/execute']],
    ['a cancelled plan without sandbox', at('execute/cancelled', { isSandboxKept: false }), []],
    ['an applied plan', at('apply/applied'), ['plan/rollback']],
    ['a plan that was undone', at('apply/applied', { isReverted: true }), []],
    [
      'an errored plan with a sandbox',
      at('execute/errored', { hasSandbox: true }),
      ['plan/execute', 'plan/cancel', 'plan/correct', 'plan/prompt', 'plan/rollback'],
    ],
    [
      'a conflict with a sandbox',
      at('apply/constrained', { hasSandbox: true }),
      ['plan/execute', 'plan/cancel', 'plan/correct', 'plan/rollback'],
    ],
    [
      'a plan in work with a sandbox',
      at('execute/processing', { hasSandbox: true }),
      ['plan/cancel', 'plan/correct', 'plan/prompt'],
    ],
  ])('of %s', (_, situation, expected) => {
    expect(changesOf(situation)).toEqual(expected);
    expect(isAllowed('plan/cancel', situation)).toBe(expected.includes('plan/cancel'));
  });
});

describe('corrections', () => {
  it('replace decisions where there is work to do again, but not while the target moves', () => {
    const stages = STAGES.filter((stage) => mayRevert(at(stage)));
    expect(stages.sort()).toEqual([
      'apply/constrained',
      'apply/errored',
      'execute/complete',
      'execute/errored',
      'execute/processing',
      'execute/queued',
      'strategize/errored',
    ]);
    expect(mayRevert(at('execute/complete', { isCommitted: true }))).toBe(false);
  });

  it('add to every plan that is not over or being applied', () => {
    const refused = STAGES.filter((stage) => !mayAppend(at(stage)));
    expect(refused.sort()).toEqual([
      'apply/applied',
      'apply/cancelled',
      'apply/processing',
      'execute/cancelled',
      'strategize/cancelled',
    ]);
  });
});

describe('wrongState', () => {
  it('tells where the plan stands, what it takes, and the details that are set', () => {
    const error = wrongState(at('apply/applied', { isReverted: true }), 'no', { hint: 'undo', nothing: undefined });
    expect(error.details).toEqual({
      phase: 'apply',
      state: 'applied',
      status: 'apply/applied',
      allowed: ['plan/status', 'plan/tree', 'plan/explain', 'plan/diff', 'plan/artifacts'],
      hint: 'undo',
    });
  });
});
