import { mkdir, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, dataSourceOptions, EmbeddedPostgres, runMigrations } from '@cleveragents/database';
import type { TestProject } from 'vitest/node';
import { withDatabase, withSession } from './database-session.js';

/** What the test workers share. */
export interface TestRun {
  /** A database of the server that may create databases. */
  readonly adminUrl: string;
  /** Name of the migrated database to copy. */
  readonly template: string;
  /** Holds every file of the run, and goes with it. */
  readonly directory: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    testRun: TestRun;
  }
}

const DIRECTORY = 'cleveragents-test-';
const SERVER = 'server';

/** Nothing here has to survive a power cut. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };

/**
 * Gives the run a directory and a PostgreSQL (the server of TEST_DATABASE_URL, else an embedded one) with a migrated
 * template. Every vitest project that names this file shares them: the last to end cleans up.
 */
export default async function setUpTestRun(project: TestProject): Promise<() => Promise<void>> {
  await discardLeftovers();
  const directory = join(tmpdir(), `${DIRECTORY}${process.pid}`);
  // Other accounts may pass through it, as tests of the embedded database do, but not look around.
  await mkdir(directory, { mode: 0o711, recursive: true });
  const named = process.env.TEST_DATABASE_URL ?? '';
  const embedded = named === '' ? await startEmbedded(directory) : null;
  const adminUrl = embedded?.url ?? named;
  const prefix = `ca_test_${process.pid}_${Math.trunc(performance.timeOrigin).toString(36)}`;
  const template = await makeTemplate(adminUrl, `${prefix}_template`);
  project.provide('testRun', { adminUrl, template, directory });
  return async () => {
    if (embedded === null) await dropAll(adminUrl, prefix);
    if (embedded === null || (await embedded.stop())) await discard(directory);
  };
}

async function startEmbedded(directory: string): Promise<EmbeddedPostgres> {
  return EmbeddedPostgres.start({ dataDir: join(directory, SERVER), settings: FAST });
}

/** A run that was killed leaves its directory behind, and the databases that it started running there. */
async function discardLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (name.startsWith(DIRECTORY) && !isRunning(Number(name.slice(DIRECTORY.length)))) {
      // Another user's is not ours to remove.
      await discard(join(tmpdir(), name)).catch(() => undefined);
    }
  }
}

async function discard(directory: string): Promise<void> {
  const entries = await readdir(directory).catch(() => []);
  for (const entry of entries) await EmbeddedPostgres.discard(join(directory, entry));
  await EmbeddedPostgres.discard(directory);
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
