import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { EmbeddedPostgres } from '../../dist/libs/database/src/index.js';
import { namesakeParent } from './process-meter.mjs';
import { UsageError } from './usage-error.mjs';

const DIRECTORY = 'cleveragents-bench-postgres-';
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\]|%2F.*)$/i;

/** The PostgreSQL of a run, with a database for each server that stores anything. */
export class BenchPostgres {
  #adminUrl;
  #close;
  #databases = [];

  constructor(adminUrl, pid, version, close) {
    this.#adminUrl = adminUrl;
    this.#close = close;
    this.pid = pid;
    this.version = version;
  }

  /** Uses the server that `url` names, else a private one that lives as long as the run. */
  static async open(url) {
    const { adminUrl, close } = url === null ? await startEmbedded() : external(url);
    try {
      return await withSession(adminUrl, async (session) => {
        await requireDurability(session);
        const { rows } = await session.query(
          "SELECT pg_backend_pid() AS pid, current_setting('server_version') AS version",
        );
        return new BenchPostgres(adminUrl, serverProcess(rows[0].pid), rows[0].version, close);
      });
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** Makes an empty database and answers its URL. */
  async createDatabase(purpose) {
    const name = `cleveragents_bench_${process.pid}_${purpose}`;
    await withSession(this.#adminUrl, (session) => session.query(`CREATE DATABASE "${name}"`));
    this.#databases.push(name);
    const url = new URL(this.#adminUrl);
    url.pathname = name;
    return url.href;
  }

  async close() {
    await withSession(this.#adminUrl, async (session) => {
      for (const name of this.#databases) await session.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    });
    await this.#close();
  }
}

/** Runs `work` with a connection of its own. */
export async function withSession(connectionString, work) {
  const session = new pg.Client({ connectionString });
  await session.connect();
  try {
    return await work(session);
  } finally {
    await session.end();
  }
}

/** Null when the server runs where its processes cannot be seen, in a container for instance. */
function serverProcess(sessionPid) {
  return namesakeParent(sessionPid, 'postgres');
}

function external(url) {
  if (!URL.canParse(url) || !LOOPBACK.test(new URL(url).hostname)) {
    throw new UsageError('BENCH_PG must be the URL of a PostgreSQL on this machine');
  }
  return { adminUrl: url, close: async () => undefined };
}

async function startEmbedded() {
  await discardLeftovers();
  const dataDir = join(tmpdir(), `${DIRECTORY}${process.pid}`);
  const embedded = await EmbeddedPostgres.start({ dataDir });
  const close = async () => {
    if (await embedded.stop()) await EmbeddedPostgres.discard(dataDir);
  };
  return { adminUrl: embedded.url, close };
}

/** A run that was killed leaves its PostgreSQL behind. */
async function discardLeftovers() {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(DIRECTORY) || isRunning(Number(name.slice(DIRECTORY.length)))) continue;
    await EmbeddedPostgres.discard(join(tmpdir(), name));
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Figures of a PostgreSQL that does not wait for its disk would say nothing about durability. */
async function requireDurability(session) {
  for (const setting of ['fsync', 'synchronous_commit']) {
    const { rows } = await session.query('SELECT current_setting($1) AS value', [setting]);
    if (rows[0].value !== 'on')
      throw new UsageError(`PostgreSQL runs with ${setting} = ${rows[0].value}; it must be on`);
  }
}
