import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { TransactionManager } from '@cleveragents/database';
import type { JsonObject } from '@cleveragents/kernel';
import type { Pool } from 'pg';
import PgBoss from 'pg-boss';
import { WakeUp } from './queue-wake-up.js';

/** Safety net under the wake-up, which normally starts a job within milliseconds. */
const POLL_SECONDS = 2;
/** A job only hands work over; what runs longer runs under a lease of its own. */
const EXPIRE_SECONDS = 60;
const RETRIES = 10;
const TOPIC = 'queue';

type Handler = (data: JsonObject) => Promise<void>;

/**
 * Durable jobs on the same PostgreSQL (pg-boss): a job that is sent inside a transaction exists if and only if the
 * transaction commits, and is taken by one process.
 */
@Injectable()
export class JobQueue implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(JobQueue.name);
  private readonly boss: PgBoss;
  private readonly queues = new Map<string, Promise<void>>();
  private readonly workers = new Map<string, string>();
  private starting: Promise<unknown> | null = null;

  constructor(
    private readonly tx: TransactionManager,
    private readonly wakeUp: WakeUp,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {
    this.boss = new PgBoss({
      db: { executeSql: (text, values) => this.pool().query(text, values) },
      supervise: config.role !== 'api',
      schedule: false,
    });
    this.boss.on('error', (error) => this.logger.warn(`Job queue: ${error.message}`));
    wakeUp.on(TOPIC, (queue) => this.notify(queue));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.boss.stop({ timeout: this.config.engine.shutdownGraceMs });
  }

  /** Makes a job due; call it inside the transaction that gives the reason. */
  async send(queue: string, data: JsonObject): Promise<void> {
    await this.prepare(queue);
    const { manager } = this.tx;
    const db = { executeSql: async (text: string, values: unknown[]) => ({ rows: await manager.query(text, values) }) };
    const id = await this.boss.send(queue, data, { db });
    if (id === null) throw new Error(`The job queue did not take a job for ${queue}`);
    await this.wakeUp.signal(TOPIC, queue);
  }

  /** Whether a job with these data waits to be taken; one that a process has taken, dead or alive, does not. */
  async isWaiting(queue: string, data: JsonObject): Promise<boolean> {
    await this.prepare(queue);
    const [row]: { waits: boolean }[] = await this.tx.manager.query(
      `SELECT EXISTS (SELECT FROM pgboss.job WHERE name = $1 AND state < 'active' AND data @> $2) AS waits`,
      [queue, data],
    );
    return row?.waits === true;
  }

  /** Takes the jobs of a queue, one after the other. A job whose handler throws comes back after a pause. */
  async consume(queue: string, handler: Handler): Promise<void> {
    await this.prepare(queue);
    const work = async (jobs: PgBoss.Job<JsonObject>[]): Promise<void> => {
      for (const job of jobs) await handler(job.data);
    };
    const options = { pollingIntervalSeconds: POLL_SECONDS, batchSize: 1 };
    this.workers.set(queue, await this.boss.work<JsonObject>(queue, options, work));
  }

  /** Takes no further job of a queue; they stay for other processes. */
  async stopConsuming(queue: string): Promise<void> {
    if (this.workers.delete(queue)) await this.boss.offWork(queue);
  }

  private async start(): Promise<void> {
    this.starting ??= this.boss.start();
    await this.starting;
  }

  private async prepare(queue: string): Promise<void> {
    const known = this.queues.get(queue) ?? this.createQueue(queue);
    this.queues.set(queue, known);
    // A failure is not remembered: the next caller tries again.
    await known.catch((error: unknown) => {
      this.queues.delete(queue);
      throw error;
    });
  }

  private async createQueue(name: string): Promise<void> {
    await this.start();
    await this.boss.createQueue(name, {
      name,
      policy: 'standard',
      expireInSeconds: EXPIRE_SECONDS,
      retryLimit: RETRIES,
      retryDelay: 1,
      retryBackoff: true,
    });
  }

  private notify(queue: string | null): void {
    for (const [name, worker] of this.workers) if (queue === null || queue === name) this.boss.notifyWorker(worker);
  }

  /** The pool of the shared data source: TypeORM's own `query` gives other shapes than pg-boss expects. */
  private pool(): Pool {
    return (this.tx.manager.dataSource.driver as unknown as { master: Pool }).master;
  }
}
