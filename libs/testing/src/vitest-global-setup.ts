import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, dataSourceOptions, EmbeddedPostgres, runMigrations } from '@cleveragents/database';
import type { TestProject } from 'vitest/node';
import { withDatabase, withSession } from './database-session.js';

/** What the test workers need to make databases of their own. */
export interface TestServer {
  /** A database of the server that may create databases. */
  readonly adminUrl: string;
  /** Name of the migrated database to copy. */
  readonly template: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServer;
  }
}

const DIRECTORY = 'cleveragents-test-';

/** Nothing here has to survive a power cut. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };

/**
 * Gives the run a PostgreSQL (the server of TEST_DATABASE_URL, else an embedded one) and a migrated template on it.
 * Every vitest project that names this file shares the same server.
 */
export default async function setUpTestServer(project: TestProject): Promise<() => Promise<void>> {
  const named = process.env.TEST_DATABASE_URL ?? '';
  const embedded = named === '' ? await startEmbedded() : null;
  const adminUrl = embedded?.url ?? named;
  const prefix = `ca_test_${process.pid}_${Math.trunc(performance.timeOrigin).toString(36)}`;
  const template = await makeTemplate(adminUrl, `${prefix}_template`);
  project.provide('testServer', { adminUrl, template });
  return async () => {
    if (embedded === null) await dropAll(adminUrl, prefix);
    else if (await embedded.stop()) await EmbeddedPostgres.discard(embeddedDirectory());
  };
}

function embeddedDirectory(): string {
  return join(tmpdir(), `${DIRECTORY}${process.pid}`);
}

async function startEmbedded(): Promise<EmbeddedPostgres> {
  await discardLeftovers();
  return EmbeddedPostgres.start({ dataDir: embeddedDirectory(), settings: FAST });
}

/** A test run that ended leaves its directory behind, and one that was killed also its PostgreSQL. */
async function discardLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (name.startsWith(DIRECTORY) && !isRunning(Number(name.slice(DIRECTORY.length)))) {
      await EmbeddedPostgres.discard(join(tmpdir(), name));
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function makeTemplate(adminUrl: string, template: string): Promise<string> {
  await withSession(adminUrl, async (session) => {
    const existing = await session.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    if (existing.rowCount !== 0) return;
    await session.query(`CREATE DATABASE "${template}"`);
    const dataSource = await connect(dataSourceOptions(withDatabase(adminUrl, template)));
    await runMigrations(dataSource);
    await dataSource.destroy();
  });
  return template;
}

async function dropAll(adminUrl: string, prefix: string): Promise<void> {
  await withSession(adminUrl, async (session) => {
    const { rows } = await session.query<{ name: string }>(
      'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
      [prefix],
    );
    for (const { name } of rows) await session.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  });
}
