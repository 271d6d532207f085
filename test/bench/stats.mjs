/** A cell during which everything else on the machine used more than this share of one core is noisy. */
export const NOISY_CPU_PCT = 40;

/** Nearest-rank percentile of sorted numbers; null when there are none. */
export function percentile(sorted, share) {
  if (sorted.length === 0) return null;
  const rank = Math.ceil(share * sorted.length);
  return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1];
}

/** Median of the finite numbers among `values`; null when there are none. */
export function median(values) {
  const sorted = values.filter((value) => Number.isFinite(value)).sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function summarise(latencies) {
  const sorted = Float64Array.from(latencies).sort();
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), max: sorted.at(-1) ?? null };
}

/** The medians of one cell over its rounds. Wrong answers are added up: no median may hide one. */
export function medianCell(runs) {
  const used = calmest(runs, (run) => [run]);
  const fields = new Set(runs.flatMap((run) => Object.keys(run)));
  const cell = Object.fromEntries(
    [...fields].filter(isFigure).map((field) => [field, median(used.map((run) => run[field]))]),
  );
  const wrong = runs.reduce((sum, run) => sum + (run.wrong ?? 0), 0);
  const firstWrong = runs.find((run) => run.firstWrong)?.firstWrong ?? null;
  return { ...cell, wrong, firstWrong, runsUsed: used.length };
}

/**
 * Compares one figure of two servers round by round: `combine` gets ours and theirs of the same round, which the same
 * noise has touched. Null when no round holds both.
 */
export function paired(ours, theirs, metric, combine = (a, b) => a / b) {
  const pairs = ours.flatMap((run, round) => {
    const other = theirs[round];
    return Number.isFinite(run?.[metric]) && Number.isFinite(other?.[metric]) ? [[run, other]] : [];
  });
  const values = calmest(pairs, (pair) => pair)
    .map(([run, other]) => combine(run[metric], other[metric]))
    .filter((value) => Number.isFinite(value));
  if (values.length === 0) return null;
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), rounds: values.length };
}

/** The items whose runs were all calm when at least two are, else all of them. */
function calmest(items, runsOf) {
  const calm = items.filter((item) => runsOf(item).every((run) => (run.foreignCpuPct ?? 0) < NOISY_CPU_PCT));
  return calm.length >= Math.min(2, items.length) ? calm : items;
}

function isFigure(field) {
  return field !== 'wrong' && field !== 'firstWrong';
}
