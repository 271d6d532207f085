import { createInterface } from 'node:readline';
import { EmbeddedPostgres } from './embedded-postgres.js';
import { switchedUser } from './process-identity.js';

/**
 * A process that owns an embedded database, for tests: writes one JSON line once it is up or has failed, and another
 * after the input line `stop`. Arguments: data directory, and the options as JSON.
 */
interface OwnerOptions {
  /** PostgreSQL runs under another account. */
  readonly isSwitched?: boolean;
  readonly temporaryDirectory?: string;
  readonly sharedDirectories?: readonly string[];
}

const [dataDir = '', json = '{}'] = process.argv.slice(2);
const { isSwitched = false, temporaryDirectory, sharedDirectories } = JSON.parse(json) as OwnerOptions;
const reports: string[] = [];
if (temporaryDirectory !== undefined) process.env.TMPDIR = temporaryDirectory;

try {
  const embedded = await EmbeddedPostgres.start({
    dataDir,
    report: (line) => reports.push(line),
    ...(isSwitched ? { identity: switchedUser() } : {}),
    ...(sharedDirectories === undefined ? {} : { sharedDirectories }),
  });
  answer({ url: embedded.url });
  createInterface({ input: process.stdin }).once('line', () => {
    void embedded.stop().then((isLast) => {
      answer({ isLast });
      process.stdin.destroy();
    });
  });
} catch (error) {
  answer({ error: error instanceof Error ? error.message : String(error) });
}

function answer(fact: object): void {
  process.stdout.write(`${JSON.stringify({ ...fact, reports })}\n`);
}
