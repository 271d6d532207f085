import { TransactionManager } from '@cleveragents/database';
import type { Origin } from '@cleveragents/kernel';
import type { RunSlot } from './active-runs.js';
import type { PlanSnapshot } from './plan-snapshot.entity.js';
import { PlanRepository } from './plan.repository.js';
import type { PlanRow } from './plan.entity.js';

/** The plan was taken away: cancelled, or given to another worker. Nothing more may be written. */
export class RunLostError extends Error {
  constructor(planId: string) {
    super(`Plan ${planId} is no longer held by this run`);
  }
}

/** The process is about to stop: the plan goes on elsewhere, from its last checkpoint. */
export class RunPausedError extends Error {}

/** One worker's hold on one plan, from the claim until the phase rests. */
export class PlanRun {
  constructor(
    readonly planId: string,
    readonly snapshot: PlanSnapshot,
    private readonly slot: RunSlot,
    private readonly fence: number,
    private readonly tx: TransactionManager,
    private readonly plans: PlanRepository,
  ) {}

  /** Aborts when the work must end at once. */
  get signal(): AbortSignal {
    return this.slot.signal;
  }

  /** Between two steps: nothing is lost by resting here. */
  throwIfPaused(): void {
    if (this.slot.pause.aborted) throw new RunPausedError('The process is about to stop');
  }

  /** One transaction on the locked plan; refused when the fence has moved on or the plan was stopped. */
  async commit<T>(change: (plan: PlanRow) => Promise<T>): Promise<T> {
    return this.tx.run(async () => {
      const plan = await this.plans.lock(this.planId);
      if (plan === null || plan.fence !== this.fence || plan.state !== 'processing') {
        throw new RunLostError(this.planId);
      }
      return change(plan);
    });
  }

  /** The plan as it is, without holding it. */
  async read(): Promise<PlanRow> {
    return this.commit(async (plan) => plan);
  }

  async isHeld(): Promise<boolean> {
    const plan = await this.plans.find(this.planId);
    return plan !== null && plan.fence === this.fence && plan.state === 'processing';
  }
}

/** Work that follows from a call by itself is the server's own: its records name the caller but no method. */
export function ownOrigin(origin: Origin): Origin {
  return { ...origin, method: null };
}
