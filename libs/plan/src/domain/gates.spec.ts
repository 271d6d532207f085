import { ValidationError } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { chooseProfile, isGateOpen, judgeCall, passes, type GatedCall, type ProfileRules } from './gates.js';

const CAUTIOUS: ProfileRules = {
  thresholds: { edit_code: 0.7, delete_content: 0.9, access_network: 1 },
  phase_gates: { strategize: 'auto', execute: 'auto', apply: 'ask' },
  flags: { allow_unsafe_tools: false },
  guards: { tool_denylist: ['acme/forbidden'], max_tool_calls: 10 },
  unattended: false,
};

function call(more: Partial<GatedCall> = {}): GatedCall {
  return { tool: 'builtin/edit_file', isUnsafe: false, confidence: 1, gates: ['edit_code'], ...more };
}

describe('chooseProfile', () => {
  it('prefers the call to the action, the action to the project, the project to the default', () => {
    const all = { param: 'auto', action: 'cautious', projects: ['manual'] };
    expect(chooseProfile(all)).toEqual({ name: 'auto', source: 'param' });
    expect(chooseProfile({ ...all, param: undefined })).toEqual({ name: 'cautious', source: 'action' });
    expect(chooseProfile({ projects: [undefined, 'manual', 'manual'] })).toEqual({ name: 'manual', source: 'project' });
    expect(chooseProfile({ projects: [undefined] })).toEqual({ name: 'supervised', source: 'default' });
  });

  it('does not pick one of two projects', () => {
    expect(() => chooseProfile({ projects: ['manual', 'auto'] })).toThrow(ValidationError);
  });
});

describe('isGateOpen', () => {
  it('follows the profile until a person has said otherwise', () => {
    expect(isGateOpen(CAUTIOUS, {}, 'execute')).toBe(true);
    expect(isGateOpen(CAUTIOUS, { execute: 'ask' }, 'execute')).toBe(false);
    expect(isGateOpen(CAUTIOUS, { apply: 'auto' }, 'apply')).toBe(true);
  });
});

describe('passes', () => {
  it('reaches a threshold by being equal to it', () => {
    expect(passes(0.7, 0.7)).toBe(true);
    expect(passes(0.69, 0.7)).toBe(false);
  });

  it('always passes zero and never passes one', () => {
    expect(passes(0, 0)).toBe(true);
    expect(passes(1, 1)).toBe(false);
  });
});

describe('judgeCall', () => {
  it('runs a call that is sure enough, and one that touches nothing', () => {
    expect(judgeCall(CAUTIOUS, call(), 0)).toEqual({ kind: 'run' });
    expect(judgeCall(CAUTIOUS, call({ gates: [], confidence: 0 }), 0)).toEqual({ kind: 'run' });
  });

  it('asks by the strictest of several thresholds, and by one that no profile names', () => {
    expect(judgeCall(CAUTIOUS, call({ confidence: 0.8, gates: ['edit_code', 'delete_content'] }), 0)).toEqual({
      kind: 'ask',
    });
    expect(judgeCall(CAUTIOUS, call({ gates: ['unheard_of'] }), 0)).toEqual({ kind: 'ask' });
  });

  it('refuses instead of asking where nobody is there', () => {
    const verdict = judgeCall({ ...CAUTIOUS, unattended: true }, call({ gates: ['access_network'] }), 0);
    expect(verdict).toEqual({ kind: 'refuse', why: 'nobody is there to approve: access_network' });
  });

  it.each([
    ['a denied tool', call({ tool: 'acme/forbidden' }), 0],
    ['an unsafe tool', call({ isUnsafe: true }), 0],
    ['one call too many', call(), 10],
  ])('refuses %s whoever approves', (_, gated, callsSoFar) => {
    expect(judgeCall(CAUTIOUS, gated, callsSoFar)).toMatchObject({ kind: 'refuse' });
  });

  it('has no limit of calls where the profile sets none', () => {
    const rules = { ...CAUTIOUS, flags: { allow_unsafe_tools: true }, guards: { tool_denylist: [] } };
    expect(judgeCall(rules, call({ isUnsafe: true }), 1_000_000)).toEqual({ kind: 'run' });
  });
});
