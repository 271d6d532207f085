import { setTimeout as delay } from 'node:timers/promises';
import { DataSource, type QueryRunner } from 'typeorm';

/** Any number, the same in every process. */
const MIGRATION_LOCK = 7_165_330;
const POLL_MS = 100;

/**
 * Brings the schema up to date and returns the names of the migrations that ran. Of several processes that start
 * together one migrates and the others wait.
 */
export async function runMigrations(dataSource: DataSource): Promise<string[]> {
  return underMigrationLock(dataSource, async () => {
    const applied = await dataSource.runMigrations({ transaction: 'each' });
    return applied.map(({ name }) => name);
  });
}

/** Names of the migrations that the database lacks. */
export async function pendingMigrations(dataSource: DataSource): Promise<string[]> {
  const rows: { name: string }[] = await dataSource
    .query('SELECT name FROM migrations')
    // undefined_table: nothing has been migrated yet.
    .catch((error: { driverError?: { code?: string } }) => {
      if (error.driverError?.code === '42P01') return [];
      throw error;
    });
  const applied = new Set(rows.map(({ name }) => name));
  return dataSource.migrations.map(({ name }) => name ?? '').filter((name) => !applied.has(name));
}

async function underMigrationLock<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    await acquire(runner);
    return await work();
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await runner.release();
  }
}

/** Tries again and again: a session that waits inside PostgreSQL would block a CREATE INDEX CONCURRENTLY for ever. */
async function acquire(runner: QueryRunner): Promise<void> {
  for (;;) {
    const [row]: { locked: boolean }[] = await runner.query('SELECT pg_try_advisory_lock($1) AS locked', [
      MIGRATION_LOCK,
    ]);
    if (row?.locked === true) return;
    await delay(POLL_MS);
  }
}
