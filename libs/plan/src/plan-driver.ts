import { Injectable } from '@nestjs/common';
import { JobQueue, WakeUp } from '@cleveragents/engine';
import type { CallContext } from '@cleveragents/jsonrpc';
import { Clock, PlanError, newUlid, type JsonObject } from '@cleveragents/kernel';
import { currentLeaf } from './domain/decision-tree.js';
import type { GateOverrides } from './domain/gates.js';
import type { Trigger } from './domain/plan-state.js';
import { PhaseEnd } from './phase-end.js';
import { PlanJournal, type DecisionDraft } from './plan-journal.js';
import { jobOf, PLAN_QUEUE, PLAN_TOPIC } from './plan-queue.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import type { PlanPatch } from './plan.repository.js';
import type { ApplyRequest, PlanRow } from './plan.entity.js';

/**
 * What a person can do to a plan that a worker then acts on. Every method wants the plan locked by the open
 * transaction and the caller's rights checked.
 */
@Injectable()
export class PlanDriver {
  constructor(
    private readonly journal: PlanJournal,
    private readonly phaseEnd: PhaseEnd,
    private readonly records: PlanRecordRepository,
    private readonly queue: JobQueue,
    private readonly wakeUp: WakeUp,
    private readonly clock: Clock,
  ) {}

  /** Opens the gate of the present phase, which has not begun. `overrides` settles the gates behind it. */
  async begin(plan: PlanRow, call: CallContext, overrides: GateOverrides = {}): Promise<PlanRow> {
    const gateOverrides = { ...plan.gateOverrides, ...overrides };
    const patch = { awaiting: null, isAttentionOver: false, gateOverrides, runOrigin: call.origin };
    const begun = await this.journal.amend(plan, call.origin, { patch, text: `${plan.phase}: approved` });
    await this.queue.send(PLAN_QUEUE, jobOf(begun));
    return begun;
  }

  /** Settles a gate that the plan has not come to yet. */
  async settleGates(plan: PlanRow, call: CallContext, overrides: GateOverrides): Promise<PlanRow> {
    const patch = { gateOverrides: { ...plan.gateOverrides, ...overrides }, runOrigin: call.origin };
    return this.journal.amend(plan, call.origin, { patch });
  }

  async enterExecute(plan: PlanRow, call: CallContext): Promise<PlanRow> {
    return this.phaseEnd.advance(plan, null, call.origin);
  }

  /** From execute/complete into the apply phase, or once more within it (T12, T20). */
  async enterApply(plan: PlanRow, request: ApplyRequest, call: CallContext): Promise<PlanRow> {
    if (plan.phase === 'execute') return this.phaseEnd.advance(plan, request, call.origin);
    return this.again(plan, 'retry', call, { applyRequest: request });
  }

  /** T20: from the last checkpoint, with the count of steps kept. */
  async retry(plan: PlanRow, call: CallContext): Promise<PlanRow> {
    return this.again(plan, 'retry', call, {});
  }

  /** T21: where the cancel stopped it. */
  async resume(plan: PlanRow, call: CallContext): Promise<PlanRow> {
    return this.again(plan, 'resume', call, { attempt: plan.attempt + 1, cancellation: null });
  }

  /** T22: the steps run again in sandboxes that begin at the targets' present heads. */
  async rebase(plan: PlanRow, call: CallContext): Promise<PlanRow> {
    await this.records.supersedeToolCalls(plan.id);
    const anew = { attempt: plan.attempt + 1, isRebaseDue: true, changeset: null, applyRequest: null };
    return this.again(plan, 'rebase', call, anew);
  }

  /** T8: the step that waits may run, or is refused and the plan errored. */
  async answerStep(plan: PlanRow, isApproved: boolean, call: CallContext, note: string): Promise<PlanRow> {
    const step = plan.awaiting?.step;
    if (step === null || step === undefined) throw new Error(`Plan ${plan.id} waits at no step`);
    const { origin } = call;
    if (!isApproved) {
      const place = { step: step.id, trigger: 'reject' } as const;
      return this.phaseEnd.fail({ ...plan, runOrigin: origin }, rejected(step.id, note), place);
    }
    await this.records.updateStep({ planId: plan.id, target: step.target, stepId: step.id }, { isApproved: true });
    const patch = { awaiting: null, runOrigin: origin };
    const answered = await this.journal.move(plan, 'answer', origin, { patch, text: `Step ${step.id}: approved` });
    await this.queue.send(PLAN_QUEUE, jobOf(answered));
    return answered;
  }

  /** What a person said, hung under the decision that stood last. */
  async intervention(plan: PlanRow, call: CallContext, chosen: string, note: string): Promise<DecisionDraft> {
    const leaf = plan.awaiting?.decisionId ?? currentLeaf(await this.records.decisionsOf(plan.id))?.id ?? null;
    return {
      id: newUlid(),
      parentId: leaf,
      type: 'user_intervention',
      question: plan.awaiting?.prompt ?? 'What guidance was given?',
      chosen,
      rationale: note,
      actor: call.principal.id,
    };
  }

  async cancel(plan: PlanRow, call: CallContext, reason: string): Promise<PlanRow> {
    const at = this.clock.now().toISOString();
    const filesModified = plan.changeset?.files.length ?? (await this.changedPaths(plan)).length;
    const cancellation = { reason, at, by: call.principal.id, filesModified };
    const text = `Cancelled: ${reason}`;
    const patch = { cancellation, awaiting: null };
    const cancelled = await this.journal.move(plan, 'cancel', call.origin, { patch, text });
    await this.journal.record(cancelled, call.origin, { event: 'plan_cancelled', details: this.factsOf(plan, reason) });
    await this.wakeUp.signal(PLAN_TOPIC, plan.id);
    return cancelled;
  }

  private async again(plan: PlanRow, trigger: Trigger, call: CallContext, more: PlanPatch): Promise<PlanRow> {
    const patch = { ...more, failure: null, isRecoverable: true, awaiting: null, runOrigin: call.origin };
    const moved = await this.journal.move(plan, trigger, call.origin, { patch });
    await this.queue.send(PLAN_QUEUE, jobOf(moved));
    return moved;
  }

  private async changedPaths(plan: PlanRow): Promise<string[]> {
    const decisions = await this.records.decisionsOf(plan.id);
    return [...new Set(decisions.flatMap(({ artifacts }) => artifacts))];
  }

  private factsOf(plan: PlanRow, reason: string): JsonObject {
    return {
      reason,
      project: plan.project,
      phase: plan.phase,
      state: plan.state,
      last_step: plan.failure?.step ?? null,
      child_plans: 0,
      sandboxes: plan.sandboxes.map(({ id }) => id),
    };
  }
}

function rejected(step: string, note: string): PlanError {
  return new PlanError(`Step ${step} was rejected`, { step, note }, { reason: 'STEP_REJECTED' });
}
