import { Test, type TestingModule } from '@nestjs/testing';
import { ConfigModule } from '@cleveragents/config';
import { ConfigurationError } from '@cleveragents/kernel';
import { makeTestDirectory, TestDatabase } from '@cleveragents/testing';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseModule } from './database.module.js';
import { DatabaseServer } from './database-server.js';
import { EmbeddedPostgres } from './embedded/embedded-postgres.js';

describe('DatabaseModule', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await TestDatabase.create();
  });

  afterAll(() => database.drop());

  it('runs the embedded PostgreSQL, migrated, when no server is named, and ends it with the application', async () => {
    const dataDir = await makeTestDirectory();
    const config = { ...database.config(), dataDir, database: { url: null, migrateOnStart: false } };
    const module = await Test.createTestingModule({
      imports: [ConfigModule.forRoot(config), DatabaseModule],
    }).compile();
    await module.init();
    expect(await module.get(DataSource).query('SELECT * FROM audit')).toEqual([]);
    const { url } = module.get(DatabaseServer);
    await module.close();
    await expect(new Client({ connectionString: url }).connect()).rejects.toThrow(/ENOENT|ECONNREFUSED/);
    await EmbeddedPostgres.discard(dataDir);
  });

  it('names the command that migrates when the named server lacks migrations', async () => {
    const empty = await emptied();
    await expect(compile(empty)).rejects.toThrow('run "npm run migrate", or set MIGRATE_ON_START=true');
    const module = await compile(empty, { MIGRATE_ON_START: 'true' });
    expect(await module.get(DataSource).query('SELECT * FROM audit')).toEqual([]);
    await module.close();
    await empty.drop();
  });

  it('tells in one line, without the password, that the named server does not answer', async () => {
    const failing = compile(database, { DATABASE_URL: 'postgresql://me:hidden@127.0.0.1:1/none' });
    await expect(failing).rejects.toThrow(ConfigurationError);
    await expect(failing).rejects.toThrow(/DATABASE_URL.*127\.0\.0\.1:1/);
    await expect(failing).rejects.not.toThrow(/hidden/);
  });

  function compile(target: TestDatabase, variables: Record<string, string> = {}): Promise<TestingModule> {
    return target.module({}, variables).compile();
  }

  async function emptied(): Promise<TestDatabase> {
    const target = await TestDatabase.create();
    const client = new Client({ connectionString: target.url });
    await client.connect();
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await client.end();
    return target;
  }
});
