import type { JsonValue } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { readCorrection } from './correction.js';

const NOTHING = { guidance: null, choose: null, arguments: null, steps: null, isDryRun: false };

describe('readCorrection', () => {
  it('takes a text as guidance that is added', () => {
    expect(readCorrection('mind the comma')).toEqual({ ...NOTHING, mode: 'append', guidance: 'mind the comma' });
  });

  it('reads every wish', () => {
    const steps = { a: 'skip', b: { inputs: { path: 'x' } } };
    const value = { mode: 'revert', guidance: 'so', choose: 2, arguments: { n: 1 }, steps, dry_run: true };
    expect(readCorrection(value)).toEqual({
      mode: 'revert',
      guidance: 'so',
      choose: 2,
      arguments: { n: 1 },
      steps,
      isDryRun: true,
    });
  });

  it.each<[string, JsonValue, string]>([
    ['no object', 7, 'correction must be an object or a text'],
    ['an empty text', ' ', 'correction.guidance must be a text'],
    ['no mode', { guidance: 'x' }, 'correction.mode must be one of revert, append'],
    ['no wish', { mode: 'revert' }, 'must have guidance, choose, arguments or steps'],
    ['an index below one', { mode: 'revert', choose: 0 }, 'correction.choose must be the index'],
    ['a text for arguments', { mode: 'revert', arguments: 'x' }, 'correction.arguments must be an object'],
    ['no step', { mode: 'revert', steps: {} }, 'correction.steps must name steps'],
    ['a step with something else', { mode: 'revert', steps: { a: { tool: 'x' } } }, 'correction.steps must name steps'],
    ['a key that is not known', { mode: 'revert', choose: 1, why: 'x' }, 'correction.why is not known'],
    ['a choice that is added', { mode: 'append', choose: 1 }, 'correction.choose needs mode revert'],
    ['guidance that is too long', 'x'.repeat(8001), 'correction.guidance must be a text of 1 to 8000 characters'],
  ])('refuses %s', (_, value, message) => {
    expect(() => readCorrection(value)).toThrow(message);
  });
});
