import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { ModuleMetadata } from '@nestjs/common';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { ConfigModule, readConfig, type AppConfig } from '@cleveragents/config';
import { DatabaseModule } from '@cleveragents/database';
import { inject } from 'vitest';
import { makeTestDirectory } from './test-directory.js';
import { withDatabase, withSession } from './database-session.js';

/**
 * A migrated, empty PostgreSQL database of one test file, for files named `*.int-spec.ts` and `*.e2e-spec.ts`:
 *
 *     let database: TestDatabase;
 *     let module: TestingModule;
 *     beforeAll(async () => {
 *       database = await TestDatabase.create();
 *       module = await database.module({ imports: [PlanModule] }).compile();
 *       await module.init();
 *     });
 *     afterAll(async () => {
 *       await module.close();
 *       await database.drop();
 *     });
 *
 * A test that starts the whole server passes `database.config()` or `database.variables()` to it. The data directory
 * exists, is empty and goes with the database. Tests of one file share the rows: let each make its own names.
 */
export class TestDatabase {
  private constructor(
    readonly url: string,
    readonly dataDir: string,
    private readonly name: string,
  ) {}

  static async create(): Promise<TestDatabase> {
    const { adminUrl, template } = inject('testRun');
    const name = template.replace(/template$/, randomBytes(6).toString('hex'));
    await withSession(adminUrl, (session) => session.query(`CREATE DATABASE "${name}" TEMPLATE "${template}"`));
    const dataDir = await makeTestDirectory();
    return new TestDatabase(withDatabase(adminUrl, name), dataDir, name);
  }

  /** Environment of a server process that uses this database; `overrides` win. */
  variables(overrides: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      NODE_ENV: 'test',
      PATH: process.env.PATH ?? '',
      DATA_DIR: this.dataDir,
      DATABASE_URL: this.url,
      LOG_LEVEL: 'warn',
      ...overrides,
    };
  }

  /** The configuration that these variables mean. */
  config(overrides: Readonly<Record<string, string>> = {}): AppConfig {
    return readConfig({ variables: this.variables(overrides), workingDirectory: this.dataDir, isTerminal: false });
  }

  /** A Nest testing module with configuration and database. */
  module(metadata: ModuleMetadata, overrides: Readonly<Record<string, string>> = {}): TestingModuleBuilder {
    return Test.createTestingModule({
      ...metadata,
      imports: [ConfigModule.forRoot(this.config(overrides)), DatabaseModule, ...(metadata.imports ?? [])],
    });
  }

  async drop(): Promise<void> {
    const { adminUrl } = inject('testRun');
    await withSession(adminUrl, (session) => session.query(`DROP DATABASE IF EXISTS "${this.name}" WITH (FORCE)`));
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
