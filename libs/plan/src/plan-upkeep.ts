import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { TransactionManager } from '@cleveragents/database';
import { JobQueue, RunnerLease } from '@cleveragents/engine';
import { Clock } from '@cleveragents/kernel';
import { GitWorkspace } from '@cleveragents/workspace';
import { PhaseRunner } from './phase-runner.js';
import { PlanJournal } from './plan-journal.js';
import { jobOf, PLAN_QUEUE } from './plan-queue.js';
import { ownOrigin } from './plan-run.js';
import { isDue } from './plan-situation.js';
import { PlanRepository } from './plan.repository.js';
import type { PlanRow } from './plan.entity.js';

/** Plans looked at in one sweep; what is left over comes with the next. */
const BATCH = 100;
/** How long a cancelled plan can be taken up again. */
const SANDBOX_KEPT_MS = 7 * 24 * 3600 * 1000;

/** What time does to plans: lost workers, lost jobs, questions that nobody answers, sandboxes that nobody comes back to. */
@Injectable()
export class PlanUpkeep {
  constructor(
    private readonly tx: TransactionManager,
    private readonly plans: PlanRepository,
    private readonly phases: PhaseRunner,
    private readonly journal: PlanJournal,
    private readonly queue: JobQueue,
    private readonly workspace: GitWorkspace,
    private readonly lease: RunnerLease,
    private readonly clock: Clock,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  /** `isRunning` tells the plans that this process really works on. */
  async sweep(isRunning: (planId: string) => boolean): Promise<void> {
    const ownLeftovers = (await this.plans.heldBy(this.lease.id)).filter((planId) => !isRunning(planId));
    for (const planId of [...ownLeftovers, ...(await this.plans.abandoned(BATCH))]) await this.recover(planId);
    for (const planId of await this.plans.stalled(this.before(this.config.engine.leaseMs), BATCH)) {
      await this.sendAgain(planId);
    }
    const { attentionLimitMs } = this.config.plan;
    for (const planId of await this.plans.unanswered(this.before(attentionLimitMs), BATCH)) await this.giveUp(planId);
    for (const planId of await this.plans.keptSince(this.before(SANDBOX_KEPT_MS), BATCH)) await this.discard(planId);
  }

  private async recover(planId: string): Promise<void> {
    const fence = (await this.plans.find(planId))?.fence;
    await this.onLocked(planId, async (plan) => {
      if (plan.state === 'processing' && plan.fence === fence) await this.phases.recover(plan);
    });
  }

  /**
   * A worker that dies between taking a job and claiming its plan leaves a plan that is due and a job that nobody will
   * take for a long time. A job too many does no harm: the claim decides.
   */
  private async sendAgain(planId: string): Promise<void> {
    if (await this.queue.isWaiting(PLAN_QUEUE, { plan_id: planId })) return;
    await this.onLocked(planId, async (plan) => {
      if (!isDue(plan) || plan.updatedAt >= this.before(this.config.engine.leaseMs)) return;
      // The change of the row keeps the next sweeps, here and elsewhere, from sending one more.
      await this.journal.amend(plan, ownOrigin(plan.runOrigin), {});
      await this.queue.send(PLAN_QUEUE, jobOf(plan));
    });
  }

  /** The task ends so that nobody waits for it for ever; the plan itself can still be taken up. */
  private async giveUp(planId: string): Promise<void> {
    await this.onLocked(planId, async (plan) => {
      if (plan.restingSince === null || plan.restingSince >= this.before(this.config.plan.attentionLimitMs)) return;
      await this.journal.amend(plan, ownOrigin(plan.runOrigin), {
        patch: { isAttentionOver: true },
        text: 'Nobody answered in time',
        reason: 'ATTENTION_LIMIT',
      });
    });
  }

  /** Marked first: from then on nobody takes the plan up again. */
  private async discard(planId: string): Promise<void> {
    await this.onLocked(planId, async (plan) => {
      if (plan.state !== 'cancelled') return;
      await this.journal.amend(plan, ownOrigin(plan.runOrigin), { patch: { isSandboxKept: false } });
    });
    const plan = await this.plans.find(planId);
    if (plan === null || plan.isSandboxKept) return;
    for (const sandbox of plan.sandboxes) await this.workspace.removeSandbox(sandbox);
  }

  private async onLocked(planId: string, change: (plan: PlanRow) => Promise<void>): Promise<void> {
    await this.tx.run(async () => {
      const plan = await this.plans.lock(planId);
      if (plan !== null) await change(plan);
    });
  }

  private before(ms: number): Date {
    return new Date(this.clock.now().getTime() - ms);
  }
}
