import { describe, expect, it } from 'vitest';
import { MAX_FAILURES, retryDelayMs } from './retry-delay.js';

const shortest = (failures: number) => retryDelayMs(failures, () => 0);
const longest = (failures: number) => retryDelayMs(failures, () => 1);

describe('R24: the pause before a retry', () => {
  it('is at most a second after the first failure', () => {
    expect([shortest(1), longest(1)]).toEqual([0, 1000]);
  });

  it('grows with every failure whatever chance says, up to a minute', () => {
    for (let failures = 1; failures < 6; failures += 1) expect(shortest(failures + 1)).toBe(longest(failures));
    for (let failures = 7; failures <= MAX_FAILURES; failures += 1) {
      expect([shortest(failures), longest(failures)]).toEqual([30_000, 60_000]);
    }
  });

  it('differs from one receiver to the next', () => {
    expect(new Set(Array.from({ length: 20 }, () => retryDelayMs(7))).size).toBeGreaterThan(10);
  });
});
