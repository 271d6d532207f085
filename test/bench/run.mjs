// The benchmark: the product against the official SDK's servers and against bare floors, in one interleaved run.
// docs/performance.md explains the method, the cells and the bars.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { judge } from './bars.mjs';
import { BenchPostgres } from './database.mjs';
import { readOptions, USAGE } from './options.mjs';
import { renderReport } from './report.mjs';
import { Results } from './results.mjs';
import { measure } from './rounds.mjs';
import { makeTargets, needsPostgres } from './targets.mjs';
import { Teardown } from './teardown.mjs';
import { UsageError } from './usage-error.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LIMIT_S = 3600;
const EXIT = { failed: 1, usage: 2, limit: 3 };

async function main() {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(USAGE);
    return;
  }
  const teardown = new Teardown();
  teardown.onSignals();
  const results = new Results();
  const limit = setTimeout(() => void giveUp(options, results, teardown), LIMIT_S * 1000);
  try {
    const targets = await startTargets(options, teardown);
    const { rounds, scenarios, settings } = options;
    await measure({ targets, results, progress, rounds, scenarios, settings });
    publish(options, results);
  } finally {
    clearTimeout(limit);
    await teardown.run();
  }
}

async function startTargets(options, teardown) {
  const directory = mkdtempSync(join(tmpdir(), 'cleveragents-bench-'));
  teardown.add(() => rmSync(directory, { recursive: true, force: true }));
  const targets = await makeTargets(options.targets, await openPostgres(options, teardown), directory);
  for (const target of targets) {
    teardown.addProcess(target);
    await target.prepare();
    progress(`${target.name} answers after ${Math.round(await target.start())} ms`);
  }
  return targets;
}

async function openPostgres(options, teardown) {
  if (!options.targets.some(needsPostgres)) return null;
  const postgres = await BenchPostgres.open(env.BENCH_PG || null);
  teardown.add(() => postgres.close());
  progress(`PostgreSQL ${postgres.version}, fsync and synchronous_commit on`);
  return postgres;
}

/** The report to stdout, all figures to a file, and an exit code that tells a script whether the bars were met. */
function publish(options, results) {
  const verdicts = judge(options.bars, results);
  const machine = { at: new Date().toISOString(), cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  process.stdout.write(renderReport({ machine, results, verdicts, options }));

  const file = resolve(options.out ?? join(ROOT, 'bench-results', `${machine.at.replaceAll(':', '-')}.json`));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ machine, options, verdicts, results }, null, 2)}\n`);
  progress(`All figures: ${file}`);

  const isMissed = !options.quick && verdicts.some(({ outcome }) => outcome === 'missed');
  if (isMissed || results.faults().length > 0) process.exitCode = EXIT.failed;
}

async function giveUp(options, results, teardown) {
  progress(`Not finished after ${LIMIT_S} s; this is what was measured`);
  publish(options, results);
  await teardown.run();
  process.exit(EXIT.limit);
}

function progress(line) {
  process.stderr.write(`${line}\n`);
}

try {
  await main();
} catch (error) {
  progress(error instanceof UsageError ? `${error.message}\n${USAGE}` : error.stack);
  process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.failed;
}
