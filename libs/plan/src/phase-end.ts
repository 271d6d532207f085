import { Injectable } from '@nestjs/common';
import { JobQueue } from '@cleveragents/engine';
import {
  CleverAgentsError,
  Clock,
  ConfigurationError,
  PlanError,
  type JsonObject,
  type Origin,
} from '@cleveragents/kernel';
import { isGateOpen } from './domain/gates.js';
import type { Phase, Trigger } from './domain/plan-state.js';
import { gateQuestion } from './gate-question.js';
import { PlanJournal, type PlanChange } from './plan-journal.js';
import { jobOf, PLAN_QUEUE } from './plan-queue.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import { ownOrigin } from './plan-run.js';
import type { PlanSnapshot } from './plan-snapshot.entity.js';
import type { ApplyRequest, Awaiting, PlanFailure, PlanRow } from './plan.entity.js';

/** Where a failure came from, for whoever has to mend it. */
export interface FailurePlace {
  readonly step?: string;
  readonly tool?: string;
  /** What a person is asked then. */
  readonly awaiting?: Awaiting;
  readonly trigger?: Extract<Trigger, 'fail' | 'constrain' | 'refuse' | 'reject'>;
}

/** How a phase ends: well, and then the next gate decides what follows; or not, and then the plan says why. */
@Injectable()
export class PhaseEnd {
  constructor(
    private readonly journal: PlanJournal,
    private readonly records: PlanRecordRepository,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
  ) {}

  async finish(plan: PlanRow, snapshot: PlanSnapshot, change: PlanChange): Promise<PlanRow> {
    const origin = plan.runOrigin;
    const patch = { ...change.patch, failure: null, isRecoverable: true };
    await this.recordRun(plan, 'ok');
    const next = followingPhase(plan);
    if (next === null) return this.journal.move(plan, 'finish', origin, { ...change, patch });
    if (this.mayPass(plan, snapshot, next)) {
      const finished = await this.journal.move(plan, 'finish', origin, { ...change, patch });
      return this.advance(finished, { ...DEFAULT_APPLY, author: snapshot.author }, ownOrigin(origin));
    }
    if (plan.isUnattended) return this.fail(plan, nobodyToAsk(next), {});
    const awaiting = gateQuestion(next, snapshot, this.clock.now());
    return this.journal.move(plan, 'finish', origin, { ...change, patch: { ...patch, awaiting } });
  }

  /** Lets the plan into its next phase, which a worker begins; `origin` is who or what opened the gate. */
  async advance(plan: PlanRow, applyRequest: ApplyRequest | null, origin: Origin): Promise<PlanRow> {
    const opened = { awaiting: null, failure: null, runOrigin: origin };
    const patch = plan.phase === 'execute' ? { ...opened, applyRequest } : opened;
    const advanced = await this.journal.move(plan, 'advance', origin, { patch });
    await this.queue.send(PLAN_QUEUE, jobOf(advanced));
    return advanced;
  }

  async fail(plan: PlanRow, error: CleverAgentsError, place: FailurePlace): Promise<PlanRow> {
    const { step, tool, trigger = 'fail', awaiting = null } = place;
    const checkpoints = await this.records.checkpointsOf(plan.id);
    const failure: PlanFailure = {
      type: error.name,
      reason: error.reason,
      message: error.message,
      tool: tool ?? null,
      step: step ?? null,
      checkpoint: checkpoints.at(-1)?.id ?? null,
      details: { ...error.details },
    };
    await this.recordRun(plan, 'failed', { reason: error.reason });
    // What is missing in the server's set-up, another try does not bring.
    const isRecoverable = !(error instanceof ConfigurationError);
    const isAnswerable = isRecoverable && !plan.isUnattended && awaiting === null;
    const text = `${plan.phase} failed: ${error.message}.${isAnswerable ? ` ${WAY_OUT}` : ''}`;
    const patch = { failure, isRecoverable, isCommitted: false, awaiting };
    return this.journal.move(plan, trigger, plan.runOrigin, { patch, text, reason: error.reason });
  }

  /** The merge was refused before it touched anything: the question of the apply gate is open again. */
  async refuse(plan: PlanRow, snapshot: PlanSnapshot, error: CleverAgentsError): Promise<PlanRow> {
    if (plan.isUnattended) return this.fail(plan, error, {});
    const awaiting = gateQuestion('apply', snapshot, this.clock.now());
    return this.fail(plan, error, { trigger: 'refuse', awaiting });
  }

  private mayPass(plan: PlanRow, snapshot: PlanSnapshot, next: Phase): boolean {
    const isOpen = isGateOpen(snapshot.profile.spec, plan.gateOverrides, next);
    return isOpen && (next !== 'apply' || plan.mayCreatorApply);
  }

  private async recordRun(plan: PlanRow, outcome: 'ok' | 'failed', more: JsonObject = {}): Promise<void> {
    if (plan.phase === 'apply') return;
    const { phase, attempt, toolCalls: tool_calls, phaseStartedAt } = plan;
    const duration_ms = phaseStartedAt === null ? 0 : this.clock.now().getTime() - phaseStartedAt.getTime();
    const details = { phase, attempt, duration_ms, tool_calls, cost_usd: 0, ...more };
    await this.journal.record(plan, plan.runOrigin, { event: 'plan_executed', outcome, details });
  }
}

const WAY_OUT = 'Answer "approve" to try again, "reject" to cancel the plan.';

const DEFAULT_APPLY = { message: null, allowEmpty: false, targetBranch: null } as const;

function followingPhase({ phase, isReadOnly }: PlanRow): Phase | null {
  if (phase === 'strategize') return 'execute';
  return phase === 'execute' && !isReadOnly ? 'apply' : null;
}

function nobodyToAsk(phase: Phase): PlanError {
  return new PlanError(
    `The ${phase} gate asks, and nobody is there to answer`,
    { gate: phase },
    {
      reason: 'GATE_UNATTENDED',
    },
  );
}
