import { describe, expect, it } from 'vitest';
import { storableTextProblem } from './storable-text.js';

describe('storableTextProblem', () => {
  it('names the place of the first text with U+0000', () => {
    expect(storableTextProblem({ plan_id: 'a\0b' })?.path).toBe('plan_id');
    expect(storableTextProblem({ steps: [{ inputs: { text: 'fine' } }, { inputs: { text: '\0' } }] })?.path).toBe(
      'steps.1.inputs.text',
    );
    expect(storableTextProblem({ labels: { 'a\0': 'x' } })?.path).toBe('labels');
  });

  it('names the place of half a surrogate pair', () => {
    expect(storableTextProblem({ filter: { type: 'x\udfff' } })).toEqual({
      path: 'filter.type',
      message: 'must be well-formed Unicode',
    });
    expect(storableTextProblem({ '\ud800': 1 })?.path).toBe('params');
  });

  it('finds nothing wrong with other values', () => {
    expect(
      storableTextProblem({ text: 'one\ntwo \u0001 🙂', list: [1, null, true], nested: { empty: '' } }),
    ).toBeNull();
  });
});
