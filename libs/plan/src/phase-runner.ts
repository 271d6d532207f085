import { Injectable, Logger } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import { JobQueue, RunnerLease } from '@cleveragents/engine';
import { CleverAgentsError, Clock, PlanError } from '@cleveragents/kernel';
import type { RunSlot } from './active-runs.js';
import { ApplyRun } from './apply-run.js';
import { ExecuteRun } from './execute-run.js';
import { PhaseEnd } from './phase-end.js';
import { PlanJournal } from './plan-journal.js';
import { jobOf, PLAN_QUEUE } from './plan-queue.js';
import { PlanRun, RunLostError, RunPausedError, ownOrigin } from './plan-run.js';
import { isDue } from './plan-situation.js';
import { PlanRepository } from './plan.repository.js';
import type { PlanRow } from './plan.entity.js';
import { StrategizeRun } from './strategize-run.js';

/** Runs one phase of one plan, from the claim to wherever it rests. */
@Injectable()
export class PhaseRunner {
  private readonly logger = new Logger(PhaseRunner.name);

  constructor(
    private readonly tx: TransactionManager,
    private readonly plans: PlanRepository,
    private readonly journal: PlanJournal,
    private readonly phaseEnd: PhaseEnd,
    private readonly queue: JobQueue,
    private readonly lease: RunnerLease,
    private readonly strategize: StrategizeRun,
    private readonly execute: ExecuteRun,
    private readonly apply: ApplyRun,
    private readonly clock: Clock,
  ) {}

  /** A look without a hold: false is certain to make a claim useless. */
  async isDue(planId: string): Promise<boolean> {
    const plan = await this.plans.find(planId);
    return plan !== null && isDue(plan);
  }

  /** Null when there is nothing to do: the plan waits for a person, is over, or another worker has it. */
  async claim(planId: string, slot: RunSlot): Promise<PlanRun | null> {
    const claimed = await this.tx.run(async () => {
      const plan = await this.plans.lock(planId);
      if (plan === null || !isDue(plan)) return null;
      const now = this.clock.now();
      return this.journal.move(plan, 'claim', ownOrigin(plan.runOrigin), {
        patch: {
          leaseOwner: this.lease.id,
          fence: plan.fence + 1,
          phaseStartedAt: now,
          startedAt: plan.startedAt ?? now,
        },
      });
    });
    if (claimed === null) return null;
    const snapshot = await this.plans.snapshotOf(planId);
    return new PlanRun(planId, snapshot, slot, claimed.fence, this.tx, this.plans);
  }

  async run(run: PlanRun): Promise<void> {
    try {
      await this.runPhase(run);
    } catch (error) {
      await this.settle(run, error).catch((failure: unknown) => {
        if (!(failure instanceof RunLostError)) throw failure;
      });
    }
  }

  /** T24: what a lost worker left goes back into the queue; the next one begins at the last checkpoint. */
  async recover(plan: PlanRow): Promise<void> {
    await this.journal.move(plan, 'recover', ownOrigin(plan.runOrigin), {
      text: `${plan.phase}: continues from the last checkpoint`,
    });
    await this.queue.send(PLAN_QUEUE, jobOf(plan));
  }

  private async runPhase(run: PlanRun): Promise<void> {
    const { phase } = await run.read();
    if (phase === 'strategize') return this.strategize.run(run);
    return phase === 'execute' ? this.execute.run(run) : this.apply.run(run);
  }

  private async settle(run: PlanRun, error: unknown): Promise<void> {
    if (error instanceof RunLostError) return;
    if (error instanceof RunPausedError || run.signal.aborted) return run.commit((plan) => this.recover(plan));
    if (error instanceof CleverAgentsError) return this.fail(run, error);
    this.logger.error(error instanceof Error ? error.stack : String(error));
    return this.fail(run, new PlanError('The server failed; its log says why', {}, { reason: 'INTERNAL_ERROR' }));
  }

  private async fail(run: PlanRun, error: CleverAgentsError): Promise<void> {
    await run.commit((plan) => this.phaseEnd.fail(plan, error, {}));
  }
}
