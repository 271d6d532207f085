import type { AppConfig } from '@cleveragents/config';
import { connect } from './connect.js';
import { dataSourceOptions } from './data-source-options.js';
import { DatabaseServer } from './database-server.js';
import { runMigrations } from './migrate.js';

/** Migrates the database that the configuration names; returns the names of the migrations that ran. */
export async function migrateServer(config: Pick<AppConfig, 'dataDir' | 'database'>): Promise<string[]> {
  const server = await DatabaseServer.open(config);
  try {
    const dataSource = await connect(dataSourceOptions(server.url));
    try {
      return await runMigrations(dataSource);
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await server.onApplicationShutdown();
  }
}
