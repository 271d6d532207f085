/// <reference types="vite/types/importMeta.d.ts" />
import { connect, dataSourceOptions } from '@cleveragents/database';
import { TestDatabase } from '@cleveragents/testing';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

type EntityClass = new () => object;

/** Tables, columns and indexes as PostgreSQL sees them; a table of pg-boss is not ours to compare. */
const SHAPE = `
  SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable AS line
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations'
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'migrations'
  ORDER BY line`;

function isEntityClass(exported: unknown): exported is EntityClass {
  return typeof exported === 'function';
}

describe('the schema', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    const modules = Object.values(import.meta.glob<object>('../../libs/*/src/**/*.entity.ts', { eager: true }));
    database = await TestDatabase.create();
    dataSource = await connect({
      ...dataSourceOptions(database.url),
      entities: modules.flatMap((module) => Object.values<unknown>({ ...module })).filter(isEntityClass),
    });
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  async function shape(): Promise<string[]> {
    const rows: { line: string }[] = await dataSource.query(SHAPE);
    return rows.map(({ line }) => line);
  }

  it('is what the entities say', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('is gone when every migration is undone, and the same when all are applied again', async () => {
    const before = await shape();
    expect(before).not.toEqual([]);

    for (const _ of dataSource.migrations) await dataSource.undoLastMigration();
    expect(await shape()).toEqual([]);

    await dataSource.runMigrations();
    expect(await shape()).toEqual(before);
  });
});
