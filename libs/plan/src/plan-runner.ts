import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { JobQueue, RunnerLease, WakeUp } from '@cleveragents/engine';
import type { JsonObject } from '@cleveragents/kernel';
import { ActiveRuns, type RunSlot } from './active-runs.js';
import { PhaseRunner } from './phase-runner.js';
import type { PlanRun } from './plan-run.js';
import { PlanUpkeep } from './plan-upkeep.js';
import { PLAN_QUEUE, PLAN_TOPIC } from './plan-queue.js';

/** How many plans one process works on at a time; the others wait in the queue, where other processes find them. */
const CONCURRENT_PLANS = 8;

/** The worker: takes plans from the queue and keeps a hold on those that it works on. */
@Injectable()
export class PlanRunner implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(PlanRunner.name);
  private readonly runs = new ActiveRuns(CONCURRENT_PLANS);

  constructor(
    private readonly phases: PhaseRunner,
    private readonly upkeep: PlanUpkeep,
    private readonly queue: JobQueue,
    private readonly wakeUp: WakeUp,
    private readonly lease: RunnerLease,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  onModuleInit(): void {
    this.lease.addSweep(() => this.upkeep.sweep((planId) => this.runs.has(planId)));
    this.wakeUp.on(PLAN_TOPIC, (planId) => this.wake(planId));
    this.lease.lost.subscribe(() => this.runs.abortAll('the lease of this process was lost'));
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.role === 'api') return;
    await this.queue.consume(PLAN_QUEUE, (data) => this.take(data));
  }

  /** Steps under way may end within the grace; then they are stopped, and another process goes on after the last one. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.queue.stopConsuming(PLAN_QUEUE);
    await this.runs.drain(this.config.engine.shutdownGraceMs);
  }

  /** The job is done when the plan is claimed: from then on its lease keeps it from being lost. */
  private async take(job: JsonObject): Promise<void> {
    const { plan_id: planId } = job;
    // A job too many must not wait for the run of its plan to end: the jobs of other plans are behind it.
    if (typeof planId !== 'string' || !(await this.phases.isDue(planId))) return;
    const slot = await this.runs.open(planId);
    if (slot === null) return this.queue.send(PLAN_QUEUE, job);
    try {
      const run = await this.phases.claim(planId, slot);
      if (run === null) slot.close();
      else void this.work(run, slot);
    } catch (error) {
      slot.close();
      throw error;
    }
  }

  private async work(run: PlanRun, slot: RunSlot): Promise<void> {
    const watch = setInterval(() => void this.stopIfLost(run, slot), this.config.engine.heartbeatMs);
    slot.check = () => this.stopIfLost(run, slot);
    try {
      await this.phases.run(run);
    } catch (error) {
      this.logger.error(error instanceof Error ? error.stack : String(error));
    } finally {
      clearInterval(watch);
      slot.close();
    }
  }

  /** The plan was cancelled, or given to another process. */
  private async stopIfLost(run: PlanRun, slot: RunSlot): Promise<void> {
    const isHeld = await run.isHeld().catch(() => true);
    if (!isHeld) slot.abort('the plan was taken away');
  }

  private wake(planId: string | null): void {
    for (const slot of this.runs.list(planId)) void slot.check();
  }
}
