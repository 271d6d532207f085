// The benchmark: the product against the official SDK's servers and against the physical floors, in one interleaved run.
// docs/performance.md explains the method, the cells and the bars.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { argv, exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { judge } from './bars.mjs';
import { BenchPostgres } from './database.mjs';
import { readOptions, USAGE, UsageError } from './options.mjs';
import { renderReport } from './report.mjs';
import { Results } from './results.mjs';
import { measure } from './rounds.mjs';
import { makeTargets, needsPostgres } from './targets.mjs';
import { Teardown } from './teardown.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LIMIT_S = 3600;
const EXIT = { wrong: 1, usage: 2, limit: 3 };

async function main() {
  const options = readOptions(argv.slice(2));
  if (options.help) {
    stdout.write(USAGE);
    return;
  }
  const teardown = new Teardown();
  teardown.onSignals();
  const results = new Results();
  const limit = setTimeout(() => void giveUp(teardown), LIMIT_S * 1000);
  try {
    const postgres = await run(options, results, teardown);
    publish(options, results, postgres);
  } finally {
    clearTimeout(limit);
    await teardown.run();
  }
}

/** Starts every server, measures, and answers the version of PostgreSQL. */
async function run(options, results, teardown) {
  const directory = mkdtempSync(join(tmpdir(), 'cleveragents-bench-'));
  teardown.add(() => rmSync(directory, { recursive: true, force: true }));
  const postgres = options.targets.some(needsPostgres) ? await BenchPostgres.open(options.postgresUrl) : null;
  if (postgres !== null) teardown.add(() => postgres.close());

  const targets = await makeTargets(options.targets, postgres, directory);
  for (const target of targets) {
    teardown.addProcess(target);
    await target.prepare();
    const ms = await target.start();
    progress(`${target.name} answers after ${Math.round(ms)} ms`);
  }
  const { rounds, scenarios, settings } = options;
  await measure({ targets, results, progress, rounds, scenarios, settings });
  return postgres?.version ?? null;
}

function publish(options, results, postgres) {
  const verdicts = judge(options.bars, results);
  const at = new Date().toISOString();
  const machine = {
    at,
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    node: process.version,
    postgres,
    rounds: options.rounds,
  };
  stdout.write(renderReport({ machine, results, verdicts, options }));
  const file = resolve(options.out ?? join(ROOT, 'bench-results', `${at.replaceAll(':', '-')}.json`));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `${JSON.stringify({ machine, settings: options.settings, verdicts, rounds: results }, null, 2)}\n`,
  );
  progress(`All figures: ${file}`);
  const isMissed = verdicts.some(({ outcome }) => outcome === 'missed');
  if (results.faults().length > 0 || (isMissed && !options.quick)) process.exitCode = EXIT.wrong;
}

async function giveUp(teardown) {
  progress(`Not finished after ${LIMIT_S} s`);
  await teardown.run();
  exit(EXIT.limit);
}

function progress(line) {
  stderr.write(`${line}\n`);
}

try {
  await main();
} catch (error) {
  progress(error instanceof UsageError ? `${error.message}\n${USAGE}` : error.stack);
  process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.wrong;
}
