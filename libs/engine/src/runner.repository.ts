import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import { RunnerRow } from './runner.entity.js';

/** What an ended runner held is taken from it within one sweep; its row is kept for people to look at. */
const KEPT_AFTER_END = '7 days';

@Injectable()
export class RunnerRepository {
  constructor(private readonly transactions: TransactionManager) {}

  async add(id: string, host: string, process: string): Promise<void> {
    await this.transactions.manager.getRepository(RunnerRow).insert({ id, host, process });
  }

  /** False when the runner was ended by somebody else: whatever it held is no longer its own. */
  async beat(id: string): Promise<boolean> {
    const [, affected] = await this.query('UPDATE runner SET heartbeat_at = now() WHERE id = $1 AND ended_at IS NULL', [
      id,
    ]);
    return affected > 0;
  }

  async end(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.query('UPDATE runner SET ended_at = now() WHERE id = ANY($1) AND ended_at IS NULL', [ids]);
  }

  /** Ends every runner but `self` whose heartbeat is older than `leaseMs`, and forgets those that ended long ago. */
  async endExpired(leaseMs: number, self: string): Promise<void> {
    await this.query(
      `UPDATE runner SET ended_at = now()
       WHERE ended_at IS NULL AND id <> $2 AND heartbeat_at < now() - $1 * interval '1 millisecond'`,
      [leaseMs, self],
    );
    await this.query(`DELETE FROM runner WHERE ended_at < now() - interval '${KEPT_AFTER_END}'`, []);
  }

  /** True when somebody else runs, or may still run: an ended process that nobody has missed yet counts. */
  async hasOthers(self: string): Promise<boolean> {
    const [row]: { others: boolean }[] = await this.transactions.manager.query(
      'SELECT EXISTS (SELECT FROM runner WHERE ended_at IS NULL AND id <> $1) AS others',
      [self],
    );
    return row?.others === true;
  }

  alive(host: string): Promise<Pick<RunnerRow, 'id' | 'process'>[]> {
    return this.transactions.manager.query('SELECT id, process FROM runner WHERE host = $1 AND ended_at IS NULL', [
      host,
    ]);
  }

  private query(text: string, values: unknown[]): Promise<[unknown[], number]> {
    return this.transactions.manager.query(text, values);
  }
}
