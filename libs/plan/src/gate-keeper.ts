import { Injectable } from '@nestjs/common';
import type { CallContext } from '@cleveragents/jsonrpc';
import { ResourceNotFoundError } from '@cleveragents/kernel';
import { commitIdentityOf } from './commit-identity.js';
import { wrongState } from './domain/plan-state.js';
import type { Answer } from './dto/execute-plan.params.js';
import { PlanAccess } from './plan-access.js';
import { PlanDriver } from './plan-driver.js';
import { PlanJournal } from './plan-journal.js';
import { ownOrigin } from './plan-run.js';
import { situationOf } from './plan-situation.js';
import type { PlanRow } from './plan.entity.js';

export interface GateAnswer {
  readonly answer: Answer;
  readonly note: string;
  readonly decisionId: string | null;
}

export interface AnsweredGate {
  readonly plan: PlanRow;
  /** The decision that keeps the answer. */
  readonly decisionId: string;
}

/** Answers to what a plan waits for, whichever way they come: plan/execute, plan/prompt or a message to its task. */
@Injectable()
export class GateKeeper {
  constructor(
    private readonly access: PlanAccess,
    private readonly driver: PlanDriver,
    private readonly journal: PlanJournal,
  ) {}

  /** Wants the plan locked. The apply gate is for maintainers, every other one for whoever may steer the plan. */
  async answer(plan: PlanRow, given: GateAnswer, call: CallContext): Promise<AnsweredGate> {
    const { awaiting } = plan;
    if (awaiting === null) throw wrongState(situationOf(plan), 'The plan waits for no answer');
    requireDecision(plan, given.decisionId);
    const isApplyGate = awaiting.kind === 'phase_gate' && plan.phase === 'execute' && plan.state === 'complete';
    if (isApplyGate && given.answer === 'approve') this.access.requireRole(plan, call.principal, 'maintainer');
    else this.access.requireSteering(plan, call.principal);
    const details = {
      gate: gateName(plan),
      answer: given.answer,
      by: call.principal.id,
      decision_id: awaiting.decisionId,
    };
    await this.journal.record(plan, call.origin, { event: 'user_approval', details });
    const decision = await this.driver.intervention(plan, call, given.answer, given.note);
    const noted = await this.journal.amend(plan, call.origin, { decisions: [decision] });
    // This call's record is the approval; what follows from it is recorded as the server's own doing.
    const answered = await this.follow(noted, given, { ...call, origin: ownOrigin(call.origin) });
    return { plan: answered, decisionId: decision.id };
  }

  private async follow(plan: PlanRow, { answer, note }: GateAnswer, call: CallContext): Promise<PlanRow> {
    if (plan.awaiting?.kind === 'tool_approval') return this.driver.answerStep(plan, answer === 'approve', call, note);
    return answer === 'reject' ? this.driver.cancel(plan, call, note) : this.approve(plan, call);
  }

  private async approve(plan: PlanRow, call: CallContext): Promise<PlanRow> {
    if (plan.state === 'queued') return this.driver.begin(plan, call);
    if (plan.phase === 'strategize') return this.driver.enterExecute(plan, call);
    const author = commitIdentityOf(call.principal);
    return this.driver.enterApply(plan, { message: null, allowEmpty: false, targetBranch: null, author }, call);
  }
}

function requireDecision({ awaiting }: PlanRow, decisionId: string | null): void {
  if (decisionId !== null && decisionId !== awaiting?.decisionId) {
    throw ResourceNotFoundError.of('Decision', { decision_id: decisionId });
  }
}

/** `strategize`, `execute`, `apply`, or the step that waits. */
function gateName({ awaiting, phase, state }: PlanRow): string {
  const step = awaiting?.step ?? null;
  if (step !== null) return `step ${step.id}`;
  if (state === 'queued') return phase;
  return phase === 'strategize' ? 'execute' : 'apply';
}
