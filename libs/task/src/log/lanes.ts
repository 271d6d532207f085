import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';

/** A generic plan prepared on an empty table would scan it for ever; these keep every plan on the indexes. */
const SETTINGS = `SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off;
  SET enable_mergejoin = off`;

/**
 * Connections kept for the hot statements of tasks, out of TypeORM's own pool, with prepared statements and a fixed way of
 * planning. Taken for one statement at a time, by callers that bound how many they take at once: a connection that was
 * a lane once never goes back to the pool.
 */
@Injectable()
export class Lanes implements OnApplicationShutdown {
  private readonly idle: PoolClient[] = [];
  private isClosed = false;

  constructor(private readonly dataSource: DataSource) {}

  async take(): Promise<PoolClient> {
    return this.idle.pop() ?? this.open();
  }

  giveBack(client: PoolClient): void {
    if (this.isClosed) client.release(true);
    else this.idle.push(client);
  }

  /** Gives back a connection on which a statement failed; one that broke is dropped. */
  giveBackAfter(error: unknown, client: PoolClient): void {
    if (isConnectionTrouble(error)) client.release(true);
    else this.giveBack(client);
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    for (const client of this.idle.splice(0)) client.release(true);
  }

  private async open(): Promise<PoolClient> {
    const { master } = this.dataSource.driver as unknown as { master: Pool };
    const client = await master.connect();
    client.on('error', () => this.forget(client));
    try {
      await client.query(SETTINGS);
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  private forget(client: PoolClient): void {
    const index = this.idle.indexOf(client);
    if (index < 0) return;
    this.idle.splice(index, 1);
    client.release(true);
  }
}

export function isConnectionTrouble(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string') return error instanceof Error && /connection|timeout|terminated/i.test(error.message);
  // Class 08: connection exceptions; 57P0x: the server shuts down or crashed; 53300: no slot; E…: the socket's own.
  return code.startsWith('08') || code.startsWith('57P') || code === '53300' || /^E(?!RR_)[A-Z]/.test(code);
}
