import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect, dataSourceOptions, pendingMigrations, runMigrations } from '@cleveragents/database';
import { TestDatabase } from '@cleveragents/testing';
import { getMetadataArgsStorage, type DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../migrations/index.js';

const projectRoot = join(import.meta.dirname, '../../..');

/** Loading a file registers its entities. */
async function loadEntities(): Promise<void> {
  const files = await readdir(join(projectRoot, 'libs'), { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.entity.ts'))) {
    await import(pathToFileURL(join(projectRoot, 'libs', file)).href);
  }
}

describe('The migrations', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    await loadEntities();
    const entities = getMetadataArgsStorage().tables.map(({ target }) => target);
    database = await TestDatabase.create();
    dataSource = await connect({ ...dataSourceOptions(database.url), entities });
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  async function driftOfEntities(): Promise<string[]> {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query);
  }

  async function tables(): Promise<unknown[]> {
    return dataSource.query(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations' ORDER BY 1",
    );
  }

  it('are listed oldest first, each named after its time', () => {
    const times = MIGRATIONS.map(({ name }) => Number(name.slice(-13)));
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  });

  it('can each be undone', () => {
    const irreversible = MIGRATIONS.filter((Migration) => !('down' in Migration.prototype));
    expect(irreversible).toEqual([]);
  });

  it('make exactly the schema that the entities describe', async () => {
    expect(await driftOfEntities()).toEqual([]);
  });

  it('leave nothing behind when all are undone, and make the same schema again', async () => {
    for (const _ of MIGRATIONS) await dataSource.undoLastMigration({ transaction: 'each' });
    expect(await tables()).toEqual([]);
    expect(await pendingMigrations(dataSource)).toHaveLength(MIGRATIONS.length);
    expect(await runMigrations(dataSource)).toHaveLength(MIGRATIONS.length);
    expect(await driftOfEntities()).toEqual([]);
    expect(await pendingMigrations(dataSource)).toEqual([]);
  });

  it('run once when several processes migrate at the same time', async () => {
    for (const _ of MIGRATIONS) await dataSource.undoLastMigration({ transaction: 'each' });
    const others = await Promise.all([1, 2, 3].map(() => connect(dataSourceOptions(database.url))));
    const applied = await Promise.all(others.map((other) => runMigrations(other)));
    await Promise.all(others.map((other) => other.destroy()));
    expect(applied.map(({ length }) => length).sort((a, b) => a - b)).toEqual([0, 0, MIGRATIONS.length]);
  });
});
