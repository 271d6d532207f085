import { createInterface } from 'node:readline';
import { EmbeddedPostgres, type EmbeddedPostgresOptions } from '@cleveragents/database';

/**
 * A process that owns an embedded database, for tests: writes one JSON line once it is up or has failed, and another
 * after the input line `stop`. Arguments: data directory, and the options as JSON.
 */
export interface OwnerOptions extends Pick<EmbeddedPostgresOptions, 'useNamespaces' | 'sharedDirectories'> {
  readonly temporaryDirectory?: string;
}

const [dataDir = '', json = '{}'] = process.argv.slice(2);
const { temporaryDirectory, ...options } = JSON.parse(json) as OwnerOptions;
const reports: string[] = [];
if (temporaryDirectory !== undefined) process.env.TMPDIR = temporaryDirectory;

try {
  const embedded = await EmbeddedPostgres.start({ ...options, dataDir, report: (line) => reports.push(line) });
  answer({ url: embedded.url });
  createInterface({ input: process.stdin }).once('line', () => void stop(embedded));
} catch (error) {
  answer({ error: error instanceof Error ? error.message : String(error) });
}

async function stop(embedded: EmbeddedPostgres): Promise<void> {
  answer({ isLast: await embedded.stop() });
  process.stdin.destroy();
}

function answer(fact: object): void {
  process.stdout.write(`${JSON.stringify({ ...fact, reports })}\n`);
}
