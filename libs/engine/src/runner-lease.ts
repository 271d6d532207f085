import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { newUlid } from '@cleveragents/kernel';
import { AppLogger } from '@cleveragents/observability';
import { Subject } from 'rxjs';
import { WakeUp } from './queue-wake-up.js';
import { isProcessAlive, processHost, processIdentity } from './process-identity.js';
import { RunnerRepository } from './runner.repository.js';

/** Work to do after the dead have been found, for example ending the tasks they left behind. */
export type Sweep = () => Promise<void>;

/** Signalled with the id of a runner that has just begun. */
const RUNNER_TOPIC = 'runner';

/**
 * The lease under which this process runs tasks: one row with a heartbeat, named by every task it runs. Losing it (a
 * pause longer than the lease) means that all of them were given away: writes are then refused by the guards, and the
 * process goes on under a new name.
 */
@Injectable()
export class RunnerLease implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  /** Emits when this process turns out to have lost its lease; `id` is the new one by then. */
  readonly lost = new Subject<void>();
  private currentId = newUlid();
  private isAccompanied = false;
  private readonly sweeps: Sweep[] = [];
  private readonly upkeep: Upkeep[] = [];

  constructor(
    private readonly repository: RunnerRepository,
    private readonly wakeUp: WakeUp,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly logger: AppLogger,
  ) {}

  get id(): string {
    return this.currentId;
  }

  /** Whether other processes work on this database, as far as this one has heard: at the latest with the next heartbeat. */
  get hasNeighbours(): boolean {
    return this.isAccompanied;
  }

  onModuleInit(): void {
    this.wakeUp.on(RUNNER_TOPIC, (id) => {
      if (id !== this.currentId) this.isAccompanied = true;
    });
  }

  /** Registers work for every sweep; the first runs at start, before the server is ready. */
  addSweep(sweep: Sweep): void {
    this.sweeps.push(sweep);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.register(this.currentId);
    await this.endDeadNeighbours();
    await this.lookAround();
    await this.sweep();
    const { heartbeatMs, sweepMs } = this.config.engine;
    this.upkeep.push(
      new Upkeep(() => this.beat(), heartbeatMs, this.logger),
      new Upkeep(() => this.sweep(), sweepMs, this.logger),
    );
  }

  /** What is under way is finished first: a heartbeat that comes after the end looks like a lost lease. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.upkeep.map((upkeep) => upkeep.stop()));
    await this.repository.end([this.currentId]);
  }

  /** Shows that this process lives, and notices if others think that it does not. */
  async beat(): Promise<void> {
    if (await this.repository.beat(this.currentId)) return this.lookAround();
    this.logger.error(`Runner ${this.currentId} lost its lease; its tasks are no longer its own`);
    const id = newUlid();
    await this.register(id);
    this.currentId = id;
    this.lost.next();
    await this.lookAround();
  }

  /** Finds the dead, then does the registered work. This process is never among them: it is awake. */
  async sweep(): Promise<void> {
    await this.repository.endExpired(this.config.engine.leaseMs, this.currentId);
    for (const sweep of this.sweeps) await this.guarded(sweep);
  }

  /** One kind of work that fails must not keep the others waiting for ever. */
  private async guarded(sweep: Sweep): Promise<void> {
    try {
      await sweep();
    } catch (error) {
      this.logger.write('error', { err: error }, 'A sweep failed');
    }
  }

  private async register(id: string): Promise<void> {
    await this.repository.add(id, processHost(), processIdentity());
    await this.wakeUp.signal(RUNNER_TOPIC, id);
  }

  private async lookAround(): Promise<void> {
    this.isAccompanied = await this.repository.hasOthers(this.currentId);
  }

  /** Processes of this host that are certainly gone need no lease to run out: a restart after kill -9 is quick. */
  private async endDeadNeighbours(): Promise<void> {
    const alive = await this.repository.alive(processHost());
    await this.repository.end(alive.filter((runner) => !isProcessAlive(runner.process)).map((runner) => runner.id));
  }
}

/** Work done again and again, never twice at a time; a failure is logged and the next turn tries again. */
class Upkeep {
  private readonly timer: NodeJS.Timeout;
  private running: Promise<void> | null = null;

  constructor(
    private readonly work: () => Promise<void>,
    everyMs: number,
    private readonly logger: AppLogger,
  ) {
    this.timer = setInterval(() => void (this.running ??= this.turn()), everyMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private async turn(): Promise<void> {
    try {
      await this.work();
    } catch (error) {
      this.logger.warn(`Runner upkeep failed: ${String(error)}`);
    } finally {
      this.running = null;
    }
  }
}
