import { parseArgs } from 'node:util';
import { BARS } from './bars.mjs';
import { SCENARIOS } from './scenarios/index.mjs';
import { TARGETS } from './targets.mjs';
import { UsageError } from './usage-error.mjs';

/** The scenarios that the bars of a set look at. */
const SCENARIOS_OF = {
  slice: ['cold', 'send', 'get', 'stream', 'paced', 'fanout', 'growth'],
  full: Object.keys(SCENARIOS),
};

const FLAGS = {
  scenarios: { type: 'string' },
  targets: { type: 'string' },
  bars: { type: 'string', default: 'slice' },
  rounds: { type: 'string' },
  dur: { type: 'string' },
  out: { type: 'string' },
  quick: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

const FULL_RUN = { rounds: 3, dur: 2.5, warmMs: 700, quietMs: 1500, listTasks: 100_000, historyMessages: 1000 };
const QUICK_RUN = { rounds: 1, dur: 1, warmMs: 300, quietMs: 0, listTasks: 2_000, historyMessages: 200 };

export const USAGE = `Usage: npm run bench -- [flags]
  --scenarios a,b   of ${Object.keys(SCENARIOS).join(', ')}
  --targets a,b     of ${TARGETS.join(', ')}
  --bars slice|full which bars to judge by, and with it which scenarios run (slice: all but history and list)
  --rounds n        interleaved rounds (${FULL_RUN.rounds})
  --dur seconds     length of a send cell (${FULL_RUN.dur}); read cells take the same
  --quick           one short round: shows that everything works, proves nothing
  --out file        where the JSON goes (bench-results/<time>.json)
BENCH_PG names a PostgreSQL on this machine to use instead of a private one.
`;

export function readOptions(args) {
  const { values } = parse(args);
  const pace = values.quick ? QUICK_RUN : FULL_RUN;
  const bars = oneOf('--bars', Object.keys(BARS), values.bars);
  return {
    help: values.help,
    quick: values.quick,
    bars,
    scenarios: listOf('--scenarios', Object.keys(SCENARIOS), values.scenarios) ?? SCENARIOS_OF[bars],
    targets: listOf('--targets', TARGETS, values.targets) ?? TARGETS,
    rounds: positive('--rounds', values.rounds) ?? pace.rounds,
    out: values.out ?? null,
    settings: {
      durationMs: (positive('--dur', values.dur) ?? pace.dur) * 1000,
      warmMs: pace.warmMs,
      quietMs: pace.quietMs,
      listTasks: pace.listTasks,
      historyMessages: pace.historyMessages,
    },
  };
}

function parse(args) {
  try {
    return parseArgs({ args, options: FLAGS });
  } catch (error) {
    throw new UsageError(error.message);
  }
}

/** The chosen names in the order of `known`, which is the order in which they run. */
function listOf(flag, known, text) {
  if (text === undefined) return undefined;
  const chosen = new Set(text.split(',').map((name) => oneOf(flag, known, name.trim())));
  return known.filter((name) => chosen.has(name));
}

function oneOf(flag, known, name) {
  if (!known.includes(name)) throw new UsageError(`${flag}: "${name}" is none of ${known.join(', ')}`);
  return name;
}

function positive(flag, text) {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!(number > 0)) throw new UsageError(`${flag} needs a number above zero, not "${text}"`);
  return number;
}
