import { hostname } from 'node:os';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { newUlid } from '@cleveragents/kernel';
import { AppLogger } from '@cleveragents/observability';
import { Subject } from 'rxjs';
import { isProcessAlive, processIdentity } from './process-identity.js';
import { RunnerRepository } from './runner.repository.js';

/** Work to do after the dead have been found, for example ending the tasks they left behind. */
export type Sweep = () => Promise<void>;

/**
 * The lease under which this process runs tasks: one row with a heartbeat, named by every task it runs. Losing it (a
 * pause longer than the lease) means that all of them were given away: writes are then refused by the guards, and the
 * process goes on under a new name.
 */
@Injectable()
export class RunnerLease implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Emits when this process turns out to have lost its lease. */
  readonly lost = new Subject<void>();
  private currentId = newUlid();
  private readonly sweeps: Sweep[] = [];
  private readonly timers: NodeJS.Timeout[] = [];
  private isClosing = false;

  constructor(
    private readonly repository: RunnerRepository,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly logger: AppLogger,
  ) {}

  get id(): string {
    return this.currentId;
  }

  /** Registers work for every sweep; the first runs at start, before the server is ready. */
  addSweep(sweep: Sweep): void {
    this.sweeps.push(sweep);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.repository.add(this.currentId, hostname(), processIdentity());
    await this.endDeadNeighbours();
    await this.sweep();
    const { heartbeatMs, sweepMs } = this.config.engine;
    this.timers.push(
      this.every(heartbeatMs, () => this.beat()),
      this.every(sweepMs, () => this.sweep()),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    this.isClosing = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.repository.end([this.currentId]);
  }

  /** Processes of this host that are certainly gone need no lease to run out: a restart after kill -9 is quick. */
  private async endDeadNeighbours(): Promise<void> {
    const alive = await this.repository.alive(hostname());
    await this.repository.end(alive.filter((runner) => !isProcessAlive(runner.process)).map((runner) => runner.id));
  }

  private async beat(): Promise<void> {
    if (await this.repository.beat(this.currentId)) return;
    this.logger.error(`Runner ${this.currentId} lost its lease; its tasks are no longer its own`);
    this.currentId = newUlid();
    await this.repository.add(this.currentId, hostname(), processIdentity());
    this.lost.next();
  }

  private async sweep(): Promise<void> {
    await this.repository.endExpired(this.config.engine.leaseMs);
    for (const sweep of this.sweeps) await sweep();
  }

  private every(ms: number, work: () => Promise<void>): NodeJS.Timeout {
    let isRunning = false;
    const timer = setInterval(() => {
      if (isRunning || this.isClosing) return;
      isRunning = true;
      work()
        .catch((error: unknown) => this.logger.warn(`Runner upkeep failed: ${String(error)}`))
        .finally(() => (isRunning = false));
    }, ms);
    timer.unref();
    return timer;
  }
}
