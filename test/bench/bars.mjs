import { median, paired } from './stats.mjs';

const ratio = (ours, theirs) => ours / theirs;
const difference = (ours, theirs) => ours - theirs;
/** For a figure that is itself a ratio, taken within one round of the product. */
const own = (ours) => ours;

const atLeast = (bound) => ({ combine: ratio, isMet: (value) => value >= bound, text: `≥ ${round(bound)}×` });
const atMost = (bound) => ({ combine: ratio, isMet: (value) => value <= bound, text: `≤ ${round(bound)}×` });
const ownAtMost = (bound) => ({ ...atMost(bound), combine: own, text: `≤ ${bound}` });
const atMostMore = (bound) => ({ ...atMost(bound), combine: difference, text: `≤ ${bound} above that` });

/** What the first usable version has to reach. */
const SLICE = [
  ...bars('1', 'send c32 rps', { 'js-mem': atLeast(1.8) }),
  ...bars('4', 'send c32 cpuUs', { 'js-mem': atMost(0.6) }),
  ...bars('6', 'stream s50 evps', { 'js-mem': atLeast(4) }),
  ...bars('13', 'growth hl0 growth', { product: ownAtMost(1.2) }),
];

/** What the product has to reach in the end; the numbers are those of the table in docs/performance.md. */
const FULL = [
  ...bars('1', 'send c32 rps', { 'js-mem': atLeast(2.8), 'js-pg': atLeast(12), 'floor-pgbatch': atLeast(0.75) }),
  ...bars('2', 'send c256 rps', { 'js-mem': atLeast(3.3), 'js-pg': atLeast(15), 'floor-pgbatch': atLeast(0.65) }),
  ...bars('2', 'send c256 p99', { 'js-mem': atMost(0.5) }),
  ...bars('3', 'send c1 rps', { 'js-mem': atLeast(0.65), 'js-pg': atLeast(5.5) }),
  ...bars('3', 'send c1 p50', { 'floor-pgbatch': atMostMore(0.15) }),
  ...bars('4', 'send c32 cpuUs', { 'js-mem': atMost(0.4), 'js-pg': atMost(0.06), 'floor-pgbatch': atMost(1.2) }),
  ...bars('5', 'get c32 rps', { 'js-mem': atLeast(3), 'js-pg': atLeast(4.5), 'floor-http': atLeast(0.45) }),
  ...bars('5', 'get c1 rps', { 'js-mem': atLeast(0.85) }),
  ...bars('6', 'stream s50 evps', { 'js-mem': atLeast(6), 'js-pg': atLeast(20), 'floor-pgbatch': atLeast(2) }),
  ...bars('6', 'stream s50 cpuUs', { 'js-mem': atMost(0.2) }),
  ...bars('6b', 'paced s50 cpuUs', { 'js-mem': atMost(0.8), 'js-pg': atMost(0.25) }),
  ...bars('7', 'stream s500 evps', { 'js-mem': atLeast(6), 'js-pg': atLeast(18) }),
  ...bars('7', 'stream s500 ttfe99', { 'js-mem': atMost(0.8) }),
  ...bars('7', 'stream s500 rssPeakMb', { 'js-mem': atMost(0.6) }),
  ...bars('8', 'stream s1 evps', { 'js-mem': atLeast(3), 'js-pg': atLeast(15) }),
  ...bars('8', 'stream s1 ttfe50', { 'floor-pgbatch': atMostMore(0.4) }),
  ...bars('9', 'fanout f200 last50', { 'js-mem': atMost(0.85), 'js-pg': atMost(0.75), 'floor-pgbatch': atMost(1.25) }),
  ...bars('11', 'list first50 p50', { 'js-mem': atMost(1 / 20), 'js-pg': atMost(1 / 12) }),
  ...bars('12', 'list status50 p50', { 'js-mem': atMost(1 / 6), 'js-pg': atMost(1 / 12) }),
  ...bars('12', 'list ctx50 p50', { 'js-mem': atMost(1 / 5), 'js-pg': atMost(1.3) }),
  ...bars('12', 'list deep50 toFirst', { product: ownAtMost(1.2) }),
  ...bars('13', 'growth hl0 growth', { product: ownAtMost(1.15) }),
  ...bars('13', 'growth hl0 atEnd', { 'js-mem': atMost(1 / 12), 'js-pg': atMost(1 / 15) }),
  ...bars('14', 'history hl1000 atEnd', { 'js-mem': atMost(0.3), 'js-pg': atMost(0.2) }),
  ...bars('15', 'cold start coldMs', { 'js-mem': atMost(2.2), 'js-pg': atMost(1.1) }),
  ...bars('15', 'cold start idleRssMb', { 'js-mem': atMost(2.2) }),
];

export const BARS = { slice: SLICE, full: FULL };

/**
 * Judges the product by each bar: `met`, `missed`, or `not measured` when this run lacks one of the two figures. A wrong
 * answer in the cell makes the bar missed, however fast it came.
 */
export function judge(set, results) {
  return BARS[set].map((bar) => {
    const ours = results.runsOf('product', bar.scenario, bar.cell);
    const theirs = results.runsOf(bar.against, bar.scenario, bar.cell);
    const value = paired(ours, theirs, bar.metric, bar.combine);
    const wrong = ours.reduce((sum, run) => sum + (run?.wrong ?? 0), 0);
    const foreignCpuPct = median(ours.map((run) => run?.foreignCpuPct));
    const { row, what, against, text: bound } = bar;
    return { row, what, against, bound, value, wrong, foreignCpuPct, outcome: outcomeOf(bar, value, wrong) };
  });
}

function outcomeOf(bar, value, wrong) {
  if (value === null) return 'not measured';
  return wrong === 0 && bar.isMet(value.median) ? 'met' : 'missed';
}

/** One bar for each target that `what` (scenario, cell, figure) is compared with. */
function bars(row, what, bounds) {
  const [scenario, cell, metric] = what.split(' ');
  return Object.entries(bounds).map(([against, bound]) => ({ row, what, scenario, cell, metric, against, ...bound }));
}

function round(bound) {
  return Number(bound.toPrecision(3));
}
