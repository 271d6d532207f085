import { loadConfig } from '@cleveragents/config';
import { migrateServer } from '@cleveragents/database';
import { CleverAgentsError } from '@cleveragents/kernel';

/** `npm run migrate`: brings the configured database up to date; safe to run on several machines at once. */
try {
  const applied = await migrateServer(loadConfig());
  const summary = applied.length === 0 ? 'The database is up to date' : `Applied ${applied.join(', ')}`;
  process.stdout.write(`${summary}\n`);
} catch (error) {
  // A fault of the set-up is told in one line; anything else is a bug and shows its stack.
  if (!(error instanceof CleverAgentsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
