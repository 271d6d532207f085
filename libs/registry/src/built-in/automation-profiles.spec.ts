import { describe, expect, it } from 'vitest';
import { THRESHOLDS } from '../domain/automation-profile-spec.js';
import { BUILT_IN_PROFILES } from './automation-profiles.js';

function lineOf(name: string): string {
  const spec = BUILT_IN_PROFILES.get(name);
  if (spec === undefined) return 'missing';
  const { thresholds, phase_gates: gates, flags } = spec;
  const { edit_code, execute_command, delete_content, access_network, decompose_task } = thresholds;
  const values = [edit_code, execute_command, delete_content, access_network, decompose_task];
  const phases = [gates.strategize, gates.execute, gates.apply].join(' ');
  return `${phases} | ${values.join(' ')} | ${flags.require_sandbox ? 'sandbox' : 'bare'} ${flags.allow_unsafe_tools ? 'unsafe' : 'safe'}`;
}

describe('the built-in automation profiles', () => {
  it.each([
    ['manual', 'ask ask ask | 1 1 1 1 1 | sandbox safe'],
    ['review', 'auto auto ask | 1 1 1 1 1 | sandbox safe'],
    ['supervised', 'auto ask ask | 0 0 0.7 1 0 | sandbox safe'],
    ['cautious', 'auto auto ask | 0.7 0.8 0.9 0.9 0.7 | sandbox safe'],
    ['trusted', 'auto auto ask | 0 0 1 1 0 | sandbox safe'],
    ['auto', 'auto auto ask | 0 0 0 0 0 | sandbox safe'],
    ['ci', 'auto auto auto | 0 0 0 1 0 | sandbox safe'],
    ['full-auto', 'auto auto auto | 0 0 0 0 0 | bare unsafe'],
  ])('have the documented values: %s', (name, line) => {
    expect(lineOf(name)).toBe(line);
  });

  it('have all thresholds, and only ci is unattended', () => {
    expect(BUILT_IN_PROFILES.size).toBe(8);
    for (const [name, { thresholds, unattended }] of BUILT_IN_PROFILES) {
      expect(Object.keys(thresholds).sort()).toEqual([...THRESHOLDS].sort());
      expect(unattended).toBe(name === 'ci');
    }
  });
});
