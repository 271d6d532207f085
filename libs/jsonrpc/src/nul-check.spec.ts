import { describe, expect, it } from 'vitest';
import { nulProblem } from './nul-check.js';

describe('nulProblem', () => {
  it('names the place of the first text with U+0000', () => {
    expect(nulProblem({ plan_id: 'a\0b' })?.path).toBe('plan_id');
    expect(nulProblem({ steps: [{ inputs: { text: 'fine' } }, { inputs: { text: '\0' } }] })?.path).toBe(
      'steps.1.inputs.text',
    );
    expect(nulProblem({ labels: { 'a\0': 'x' } })?.path).toBe('labels');
  });

  it('finds nothing wrong with other values', () => {
    expect(nulProblem({ text: 'one\ntwo \u0001', list: [1, null, true], nested: { empty: '' } })).toBeNull();
  });
});
