import { ConfigurationError } from '@cleveragents/kernel';
import type { DataSource } from 'typeorm';
import type { DatabaseServer } from './database-server.js';
import { pendingMigrations, runMigrations } from './migrate.js';

/** Lets nobody work on a schema that is not the one this version was written for. */
export async function ensureSchema(dataSource: DataSource, server: DatabaseServer): Promise<void> {
  if (server.migratesOnStart) {
    await runMigrations(dataSource);
    return;
  }
  const pending = await pendingMigrations(dataSource);
  if (pending.length === 0) return;
  throw new ConfigurationError(
    `The database lacks ${pending.length} migration(s): run "npm run migrate", or set MIGRATE_ON_START=true`,
    { key: 'MIGRATE_ON_START' },
  );
}
