import { describe, expect, it } from 'vitest';
import { judge } from '../bench/bars.mjs';
import { median, medianCell, paired, percentile, summarise, type Run } from '../bench/stats.mjs';

const CALM = 10;
const NOISY = 90;

describe('percentiles of the benchmark', () => {
  it('are nearest ranks: a value that was measured', () => {
    const sorted = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(percentile(sorted, 0.5)).toBe(50);
    expect(percentile(sorted, 0.99)).toBe(99);
    expect(percentile(sorted, 1)).toBe(100);
    expect(percentile([7], 0.99)).toBe(7);
    expect(percentile([], 0.5)).toBeNull();
  });

  it('do not need sorted latencies', () => {
    expect(summarise([30, 1, 10])).toEqual({ p50: 10, p99: 30, max: 30 });
    expect(summarise([])).toEqual({ p50: null, p99: null, max: null });
  });
});

describe('the median', () => {
  it('is the middle, or the mean of the two in the middle', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 2, 100])).toBe(3);
  });

  it('leaves out what is no number', () => {
    expect(median([null, 3, undefined, Number.NaN, Number.POSITIVE_INFINITY])).toBe(3);
    expect(median([null])).toBeNull();
  });
});

describe('the median of a cell', () => {
  it('comes from the calm rounds when at least two are calm', () => {
    const runs = [
      { rps: 100, foreignCpuPct: CALM },
      { rps: 10, foreignCpuPct: NOISY },
      { rps: 200, foreignCpuPct: CALM },
    ];
    expect(medianCell(runs)).toMatchObject({ rps: 150, runsUsed: 2 });
  });

  it('comes from all rounds when only one is calm', () => {
    const runs = [
      { rps: 100, foreignCpuPct: CALM },
      { rps: 10, foreignCpuPct: NOISY },
      { rps: 20, foreignCpuPct: NOISY },
    ];
    expect(medianCell(runs)).toMatchObject({ rps: 20, runsUsed: 3 });
  });

  it('adds wrong answers up, those of noisy rounds too', () => {
    const runs = [
      { rps: 1, foreignCpuPct: CALM, wrong: 0, firstWrong: null },
      { rps: 1, foreignCpuPct: NOISY, wrong: 3, firstWrong: 'HTTP 500' },
      { rps: 1, foreignCpuPct: CALM, wrong: 0, firstWrong: null },
    ];
    expect(medianCell(runs)).toMatchObject({ wrong: 3, firstWrong: 'HTTP 500', runsUsed: 2 });
  });
});

describe('a paired ratio', () => {
  it('compares rounds with each other, so that noise of one round touches both sides', () => {
    const ours = [{ rps: 300 }, { rps: 30 }, { rps: 320 }];
    const theirs = [{ rps: 100 }, { rps: 10 }, { rps: 100 }];
    expect(paired(ours, theirs, 'rps')).toEqual({ median: 3, min: 3, max: 3.2, rounds: 3 });
  });

  it('leaves out a round that one side did not finish', () => {
    const ours = [{ rps: 300 }, undefined, { rps: 200 }];
    const theirs = [{ rps: 100 }, { rps: 100 }, { rps: null }];
    expect(paired(ours, theirs, 'rps')).toEqual({ median: 3, min: 3, max: 3, rounds: 1 });
    expect(paired([undefined], theirs, 'rps')).toBeNull();
    expect(paired([], [], 'rps')).toBeNull();
  });

  it('leaves out rounds in which either side was disturbed when at least two were calm', () => {
    const ours = [
      { rps: 300, foreignCpuPct: CALM },
      { rps: 300, foreignCpuPct: CALM },
      { rps: 900, foreignCpuPct: CALM },
    ];
    const theirs = [
      { rps: 100, foreignCpuPct: CALM },
      { rps: 150, foreignCpuPct: CALM },
      { rps: 100, foreignCpuPct: NOISY },
    ];
    expect(paired(ours, theirs, 'rps')).toEqual({ median: 2.5, min: 2, max: 3, rounds: 2 });
  });

  it('leaves out a division by zero', () => {
    expect(paired([{ rps: 1 }], [{ rps: 0 }], 'rps')).toBeNull();
  });

  it('can be a difference', () => {
    const difference = (ours: number, theirs: number) => ours - theirs;
    expect(paired([{ p50: 0.5 }], [{ p50: 0.25 }], 'p50', difference)?.median).toBe(0.25);
  });
});

describe('the bars', () => {
  const results = (figures: Record<string, Run>) => ({
    runsOf: (target: string, scenario: string, cell: string) => {
      const run = figures[`${target} ${scenario} ${cell}`];
      return run === undefined ? [] : [run];
    },
  });
  const outcomes = (figures: Record<string, Run>, set: 'slice' | 'full' = 'slice') =>
    Object.fromEntries(
      judge(set, results(figures)).map(({ what, against, outcome }) => [`${what} ${against}`, outcome]),
    );

  it('are met at their bound and missed below it', () => {
    const peer = { 'js-mem send c32': { rps: 100, cpuUs: 100 } };
    expect(outcomes({ ...peer, 'product send c32': { rps: 180, cpuUs: 60 } })).toMatchObject({
      'send c32 rps js-mem': 'met',
      'send c32 cpuUs js-mem': 'met',
    });
    expect(outcomes({ ...peer, 'product send c32': { rps: 179, cpuUs: 61 } })).toMatchObject({
      'send c32 rps js-mem': 'missed',
      'send c32 cpuUs js-mem': 'missed',
    });
  });

  it('are missed by wrong answers, however fast they came', () => {
    const figures = { 'js-mem send c32': { rps: 100 }, 'product send c32': { rps: 900, wrong: 1 } };
    expect(outcomes(figures)).toMatchObject({ 'send c32 rps js-mem': 'missed' });
  });

  it('are not judged without both figures', () => {
    expect(outcomes({ 'product send c32': { rps: 900 } })).toMatchObject({ 'send c32 rps js-mem': 'not measured' });
    expect(new Set(Object.values(outcomes({}, 'full')))).toEqual(new Set(['not measured']));
  });

  it('judge the growth of a conversation within the product alone', () => {
    expect(outcomes({ 'product growth hl0': { growth: 1.2 } })).toMatchObject({ 'growth hl0 growth product': 'met' });
    expect(outcomes({ 'product growth hl0': { growth: 1.3 } })).toMatchObject({
      'growth hl0 growth product': 'missed',
    });
  });

  it('allow a latency to be a fixed time above that of a floor', () => {
    const floor = { 'floor-pgbatch send c1': { p50: 1 } };
    expect(outcomes({ ...floor, 'product send c1': { p50: 1.125 } }, 'full')).toMatchObject({
      'send c1 p50 floor-pgbatch': 'met',
    });
    expect(outcomes({ ...floor, 'product send c1': { p50: 1.25 } }, 'full')).toMatchObject({
      'send c1 p50 floor-pgbatch': 'missed',
    });
  });
});
