import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigurationError } from '@cleveragents/kernel';
import { openCluster, DATABASE_USER, type Cluster } from './cluster.js';
import { ABSENT, BUSY, DatabaseHold } from './database-hold.js';
import { chooseEndpoint, runningEndpoint, urlOf, type Endpoint } from './endpoint.js';
import { homeOf, place, type Placement, type PlacementOptions } from './placement.js';
import { launchPostmaster, type Postmaster } from './postmaster.js';
import { hasExited, lockHolder, removeForeignLock } from './postmaster-lock.js';

export interface EmbeddedPostgresOptions extends PlacementOptions {
  /** PostgreSQL settings beyond the launcher's own. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** How long a lock that blocks the start may be a remainder that goes away by itself. */
const LOCK_PATIENCE_MS = 10_000;
const RECOVERY_PATIENCE_MS = 300_000;
const FAST_STOP_MS = 30_000;
const POLL_MS = 40;

/**
 * The private PostgreSQL of a data directory. Whoever starts it first launches it, every further process joins, a
 * server that was left running by a killed process is adopted, and the last process that stops shuts it down.
 */
export class EmbeddedPostgres {
  private hold: DatabaseHold;
  private isStopping = false;
  private attaching: Promise<void> = Promise.resolve();

  private constructor(
    private readonly options: EmbeddedPostgresOptions,
    private readonly placement: Placement,
    private readonly cluster: Cluster,
    private endpoint: Endpoint,
  ) {}

  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const placement = await place(options);
    const cluster = await openCluster(placement);
    const embedded = new EmbeddedPostgres(options, placement, cluster, await chooseEndpoint(placement, cluster));
    await embedded.attach();
    return embedded;
  }

  /** Ends what may still run in a data directory that nobody uses any more, and deletes all of it. */
  static async discard(dataDir: string): Promise<void> {
    const home = homeOf(dataDir);
    const pid = lockHolder(join(home, 'cluster/data'));
    if (pid !== null) {
      process.kill(pid, 'SIGQUIT');
      await exits(pid, LOCK_PATIENCE_MS);
    }
    for (const directory of [home, dataDir]) await rm(directory, { recursive: true, force: true });
  }

  /** Connection URL of the database, password included. */
  get url(): string {
    return urlOf(this.endpoint, this.cluster.password, DATABASE_USER);
  }

  /** Shuts PostgreSQL down and resolves to true when it is gone; to false when another process still uses it. */
  async stop(): Promise<boolean> {
    if (this.isStopping) return false;
    this.isStopping = true;
    await this.attaching;
    return this.hold.release(() => this.shutDown());
  }

  private async attach(): Promise<void> {
    this.hold = await this.reach();
    await this.hold.ensureDatabase(DATABASE_USER);
  }

  /** PostgreSQL ended without this process asking for it: it is started again and the pools reconnect by themselves. */
  private reattach(): void {
    if (this.isStopping) return;
    this.report('The embedded PostgreSQL went away and is started again');
    this.attaching = this.attach().catch((error: Error) => this.report(error.message));
  }

  /** Takes a hold on the PostgreSQL of this cluster, launching it when none runs. */
  private async reach(): Promise<DatabaseHold> {
    const begin = Date.now();
    let launched: Postmaster | null = null;
    for (;;) {
      const hold = await this.takeHold();
      if (hold instanceof DatabaseHold) return hold;
      const failure: string | null = launched?.failure() ?? null;
      const isWaiting = hold === BUSY || (launched !== null && failure === null);
      if (isWaiting) this.checkPatience(begin, RECOVERY_PATIENCE_MS, 'it does not finish starting');
      else launched = this.launchUnlessLocked(begin, failure);
      await delay(POLL_MS);
    }
  }

  private async takeHold(): Promise<DatabaseHold | typeof ABSENT | typeof BUSY> {
    const url = urlOf(this.endpoint, this.cluster.password, 'postgres');
    return DatabaseHold.take(url, () => this.reattach());
  }

  /**
   * After a crash the old processes keep the lock file or the shared memory for a second or two, and another process
   * that is starting holds the lock before it answers. Both pass; what stays is named.
   */
  private launchUnlessLocked(begin: number, failure: string | null): Postmaster | null {
    if (failure !== null && !/lock file|shared memory block/.test(failure)) throw this.cannotStart(failure);
    removeForeignLock(this.cluster.data);
    const holder = lockHolder(this.cluster.data);
    const cause = holder === null ? failure : `process ${holder} holds its lock file but does not answer`;
    this.checkPatience(begin, LOCK_PATIENCE_MS, cause ?? 'it ends at once');
    if (holder !== null) {
      this.endpoint = runningEndpoint(this.endpoint, this.cluster);
      return null;
    }
    return launchPostmaster(this.placement, this.cluster, this.endpoint, this.options.settings ?? {});
  }

  private checkPatience(begin: number, patience: number, cause: string): void {
    if (Date.now() - begin > patience) throw this.cannotStart(cause);
  }

  private cannotStart(cause: string): ConfigurationError {
    const log = `${this.placement.home}/postgres.log`;
    return new ConfigurationError(`The embedded PostgreSQL did not start: ${cause} (log: ${log})`, { key: 'DATA_DIR' });
  }

  /** A fast shutdown ends open sessions and writes everything; an immediate one is the last resort. */
  private async shutDown(): Promise<void> {
    const pid = lockHolder(this.cluster.data);
    if (pid === null) return;
    process.kill(pid, 'SIGINT');
    if (await exits(pid, FAST_STOP_MS)) return;
    process.kill(pid, 'SIGQUIT');
    await exits(pid, LOCK_PATIENCE_MS);
  }

  private report(line: string): void {
    this.options.report?.(line);
  }
}

async function exits(pid: number, patience: number): Promise<boolean> {
  for (const begin = Date.now(); Date.now() - begin < patience; await delay(POLL_MS)) {
    if (hasExited(pid)) return true;
  }
  return false;
}
