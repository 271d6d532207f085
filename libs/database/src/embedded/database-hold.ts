import { Client } from 'pg';

/** Any number, the same in every process: locks are per database, and no other code locks in `postgres`. */
const IN_USE = 7_165_331;
const CONNECT_TIMEOUT_MS = 5_000;

/** No PostgreSQL answers at the address. */
export const ABSENT = 'absent';
/** One answers that it is starting, recovering or shutting down. */
export const BUSY = 'busy';

/**
 * One session per process that uses the embedded PostgreSQL, with a shared lock for as long as it does. The lock ends
 * with the process however it ends, so the one that gets it exclusively knows that it is the last.
 */
export class DatabaseHold {
  private isWanted = true;

  private constructor(
    private readonly client: Client,
    onLost: () => void,
  ) {
    client.once('end', () => {
      if (this.isWanted) onLost();
    });
  }

  static async take(url: string, onLost: () => void): Promise<DatabaseHold | typeof ABSENT | typeof BUSY> {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true });
    // `end` follows every error; without a listener an error would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
      // Waits while the last user shuts PostgreSQL down, and then fails with the connection.
      await client.query('SELECT pg_advisory_lock_shared($1)', [IN_USE]);
      return new DatabaseHold(client, onLost);
    } catch (error) {
      await client.end().catch(() => undefined);
      return whyNot(error as NodeJS.ErrnoException);
    }
  }

  async ensureDatabase(name: string): Promise<void> {
    const { rowCount } = await this.client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount !== 0) return;
    await this.client.query(`CREATE DATABASE "${name}"`).catch((error: NodeJS.ErrnoException) => {
      // duplicate_database, or the unique index behind it: another process was quicker.
      if (error.code !== '42P04' && error.code !== '23505') throw error;
    });
  }

  /**
   * Ends the hold and tells whether it was the last. `ifLast` runs when no other process holds PostgreSQL; until it has
   * run none can begin to.
   */
  async release(ifLast: () => Promise<void>): Promise<boolean> {
    this.isWanted = false;
    try {
      const isLast = await this.isLast();
      if (isLast) await ifLast();
      return isLast;
    } finally {
      await this.client.end().catch(() => undefined);
    }
  }

  /** A session that is lost already has no PostgreSQL behind it to ask. */
  private async isLast(): Promise<boolean> {
    try {
      await this.client.query('SELECT pg_advisory_unlock_shared($1)', [IN_USE]);
      const { rows } = await this.client.query<{ last: boolean }>('SELECT pg_try_advisory_lock($1) AS last', [IN_USE]);
      return rows[0]?.last === true;
    } catch {
      return false;
    }
  }
}

const NOT_THERE = new Set(['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE']);
/** admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections */
const NOT_NOW = new Set(['57P01', '57P02', '57P03', '53300']);

function whyNot(error: NodeJS.ErrnoException): typeof ABSENT | typeof BUSY {
  if (error.code !== undefined && NOT_NOW.has(error.code)) return BUSY;
  // pg reports a connection that closes while it is being made, or that takes too long, without a code.
  if (error.code === undefined || NOT_THERE.has(error.code)) return ABSENT;
  throw error;
}
