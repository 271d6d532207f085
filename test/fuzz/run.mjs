// `npm run fuzz -- [--count N] [--seed N]`: sends mutated requests to a server that it starts.
import { env } from 'node:process';
import { parseArgs } from 'node:util';
import { prepare } from '../../apps/server/bootstrap.mjs';

const { values } = parseArgs({ options: { count: { type: 'string' }, seed: { type: 'string' } } });
env.FUZZ_COUNT = String(wholeNumber('count', values.count ?? '100000'));
env.FUZZ_SEED = String(wholeNumber('seed', values.seed ?? String(Date.now() % 1_000_000)));

await prepare();
process.argv = [process.argv[0], 'vitest', 'run', '--project', 'e2e', 'test/fuzz/fuzz.e2e-spec.ts'];
await import('../../node_modules/vitest/vitest.mjs');

function wholeNumber(name, text) {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  process.stderr.write(`--${name} takes a whole number from 1 on\n`);
  process.exit(1);
}
