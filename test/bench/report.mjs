import { NOISY_CPU_PCT } from './stats.mjs';

/** The columns of each scenario's table: figure, heading. */
const LOOP = { rps: 'req/s', p50: 'p50 ms', p99: 'p99 ms' };
const COSTS = { srvCpuUs: 'server CPU µs', pgCpuUs: 'PostgreSQL CPU µs', rssPeakMb: 'peak RSS MB' };
const NOISE = { clientLoad: 'client load', foreignCpuPct: 'other CPU %', runsUsed: 'runs used', wrong: 'wrong' };
const STREAM = {
  evps: 'events/s',
  perStreamEvps: 'per stream',
  ttfe50: 'first event p50 ms',
  ttfe99: 'first event p99 ms',
  dur50: 'stream p50 ms',
  streams: 'streams',
};
const TURNS = {
  at20: 'p50 at 20 ms',
  at100: 'at 100',
  at500: 'at 500',
  atEnd: 'at the end',
  growth: 'end / 20',
  getAtEnd: 'get at the end',
  bytesAtEnd: 'bytes',
};
const COLUMNS = {
  cold: { coldMs: 'first answer ms', idleRssMb: 'idle RSS MB' },
  send: { ...LOOP, ...COSTS, ...NOISE },
  get: { ...LOOP, ...COSTS, ...NOISE },
  stream: { ...STREAM, ...COSTS, ...NOISE },
  paced: { ...STREAM, ...COSTS, ...NOISE },
  fanout: {
    last50: 'last subscriber p50 ms',
    lastMax: 'max',
    all50: 'all p50',
    all99: 'all p99',
    complete: 'complete',
    attach50: 'attach p50',
    ...COSTS,
    ...NOISE,
  },
  growth: { ...TURNS, ...COSTS, ...NOISE },
  history: { ...TURNS, ...COSTS, ...NOISE },
  list: { p50: 'p50 ms', p99: 'p99 ms', toFirst: '/ first page', tasks: 'tasks', ...COSTS, ...NOISE },
};

/** The figures by which servers are compared, per scenario. */
const COMPARED = {
  cold: ['coldMs', 'idleRssMb'],
  send: ['rps', 'p99', 'cpuUs'],
  get: ['rps', 'cpuUs'],
  stream: ['evps', 'ttfe99', 'rssPeakMb', 'cpuUs'],
  paced: ['evps', 'ttfe50', 'cpuUs'],
  fanout: ['last50', 'cpuUs'],
  growth: ['atEnd', 'cpuUs'],
  history: ['atEnd', 'cpuUs'],
  list: ['p50', 'cpuUs'],
};

/** The whole report as Markdown. */
export function renderReport({ machine, results, verdicts, options }) {
  const parts = [`# Benchmark\n\n${machineLine(machine, options)}`];
  if (options.quick) parts.push('A quick run: it shows that everything works. Its figures prove nothing.');
  for (const scenario of options.scenarios) parts.push(scenarioTable(scenario, results));
  if (results.targets.includes('product')) {
    parts.push(ratioTable(options.scenarios, results), verdictList(verdicts, options.bars));
  }
  parts.push(faultList(results.faults()));
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function machineLine({ at, cpu, cores, node }, { rounds }) {
  return `${at}, ${cores} × ${cpu}, Node ${node}, rounds: ${rounds}. Medians of the calm rounds.`;
}

function scenarioTable(scenario, results) {
  const columns = Object.entries(COLUMNS[scenario]);
  const rows = results.cellsOf(scenario).flatMap((cell) =>
    results.targets.flatMap((target) => {
      const figures = results.median(target, scenario, cell);
      return figures === null ? [] : [[cell, target, ...columns.map(([field]) => format(figures[field]))]];
    }),
  );
  if (rows.length === 0) return '';
  return `## ${scenario}\n\n${table(['cell', 'server', ...columns.map(([, heading]) => heading)], rows)}`;
}

/** Per cell and figure, the product divided by every other server: median [lowest – highest round]. */
function ratioTable(scenarios, results) {
  const others = results.targets.filter((target) => target !== 'product');
  const rows = scenarios.flatMap((scenario) =>
    results
      .cellsOf(scenario)
      .flatMap((cell) =>
        COMPARED[scenario].map((metric) => [
          `${scenario} ${cell} ${metric}`,
          ...others.map((target) => formatRatio(results.ratio(target, { scenario, cell, metric }))),
        ]),
      ),
  );
  if (others.length === 0 || rows.length === 0) return '';
  return `## Product ÷ other, paired by round\n\n${table(['cell', ...others], rows)}`;
}

function verdictList(verdicts, bars) {
  const lines = verdicts.map((verdict) => {
    const { row, what, against, bound, value, outcome } = verdict;
    const comparison = against === 'product' ? '' : ` of ${against}`;
    const notes = [formatRatio(value), ...notesOn(verdict)].join(', ');
    return `- ${outcome.toUpperCase()} · ${row} · ${what} ${bound}${comparison}: ${notes}`;
  });
  return `## Bars (${bars})\n\n${lines.join('\n')}`;
}

function* notesOn({ wrong, foreignCpuPct }) {
  if (wrong > 0) yield `${wrong} wrong answers`;
  if (foreignCpuPct >= NOISY_CPU_PCT) yield `noisy (other CPU ${format(foreignCpuPct)} %)`;
}

function faultList(faults) {
  return faults.length === 0
    ? 'Every answer was right.'
    : `## Wrong answers\n\n${faults.map((text) => `- ${text}`).join('\n')}`;
}

function table(headings, rows) {
  const alignment = headings.map((_, index) => (index === 0 ? '---' : '---:'));
  return [headings, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function formatRatio(ratio) {
  if (ratio === null) return '–';
  const { median, min, max, rounds } = ratio;
  if (rounds === 1) return format(median);
  return `${format(median)} [${format(min)} – ${format(max)}]`;
}

function format(value) {
  if (!Number.isFinite(value)) return '–';
  if (Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  return size >= 1 ? value.toFixed(2) : value.toFixed(3);
}
