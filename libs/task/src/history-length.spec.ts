import { describe, expect, it } from 'vitest';
import { historyLimit } from './history-length.js';

describe('the length of a history', () => {
  it.each([
    [undefined, 50],
    [0, 0],
    [7, 7],
    [1000, 1000],
    [1001, 1000],
    [1_000_000, 1000],
  ])('asked for as %s is %i', (asked, shown) => {
    expect(historyLimit(asked, 50)).toBe(shown);
  });
});
