import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import type { CallContext } from '@cleveragents/jsonrpc';
import type { Message } from '@cleveragents/protocol';
import { isAllowed, wrongState } from './domain/plan-state.js';
import type { Answer } from './dto/execute-plan.params.js';
import type { PromptPlanParams } from './dto/prompt-plan.params.js';
import { toPromptPlanView, type PromptPlanView } from './dto/prompt-plan.view.js';
import { GateKeeper } from './gate-keeper.js';
import { PlanAccess } from './plan-access.js';
import { PlanDriver } from './plan-driver.js';
import { PlanJournal } from './plan-journal.js';
import { ownOrigin } from './plan-run.js';
import { situationOf, stageOfPlan } from './plan-situation.js';
import type { PlanRow } from './plan.entity.js';

/** What people say to a plan: answers move its gates, anything else is kept as guidance. */
@Injectable()
export class PlanGuidance {
  constructor(
    private readonly tx: TransactionManager,
    private readonly access: PlanAccess,
    private readonly gates: GateKeeper,
    private readonly driver: PlanDriver,
    private readonly journal: PlanJournal,
  ) {}

  async inject(params: PromptPlanParams, call: CallContext): Promise<PromptPlanView> {
    return this.tx.run(async () => {
      const plan = await this.access.lock(params.plan_id, call.principal);
      const situation = situationOf(plan);
      if (!isAllowed('plan/prompt', situation)) {
        this.access.requireSteering(plan, call.principal);
        throw wrongState(situation, `A plan in ${stageOfPlan(plan)} takes no prompt`);
      }
      return params.answer === undefined ? this.guide(plan, params, call) : this.answer(plan, params, call);
    });
  }

  /**
   * The same by a message to the plan's task, of whose history the message becomes part. A client that has nothing but
   * messages also answers failures and conflicts: by another try, or by giving up.
   */
  async reply(params: PromptPlanParams, message: Message, call: CallContext): Promise<void> {
    await this.tx.run(async () => {
      const plan = await this.access.lock(params.plan_id, call.principal);
      const heard = await this.journal.amend(plan, call.origin, { messages: [message] });
      const { answer } = params;
      if (answer === undefined) await this.guide(heard, params, call);
      else if (plan.awaiting !== null) await this.answer(heard, params, call);
      else await this.settle(heard, answer, params.message, call);
    });
  }

  private async answer(
    plan: PlanRow,
    { answer = 'approve', message, decision_id }: PromptPlanParams,
    call: CallContext,
  ): Promise<PromptPlanView> {
    const given = { answer, note: message, decisionId: decision_id ?? null };
    const answered = await this.gates.answer(plan, given, call);
    return toPromptPlanView(answered.plan, { decisionId: answered.decisionId, delivered: 'resumed' });
  }

  /** Answers a failure (T20) or a conflict (T22). */
  private async settle(plan: PlanRow, answer: Answer, note: string, call: CallContext): Promise<void> {
    const situation = situationOf(plan);
    const isOpen = plan.state === 'errored' || plan.state === 'constrained';
    if (!isOpen || !isAllowed('plan/execute', situation)) throw wrongState(situation, 'The plan waits for no answer');
    this.access.requireSteering(plan, call.principal);
    const details = { gate: plan.state, answer, by: call.principal.id, decision_id: null };
    await this.journal.record(plan, call.origin, { event: 'user_approval', details });
    const following = { ...call, origin: ownOrigin(call.origin) };
    if (answer === 'reject') await this.driver.cancel(plan, following, note);
    else if (plan.state === 'constrained') await this.driver.rebase(plan, following);
    else await this.retry(plan, following);
  }

  private async retry(plan: PlanRow, call: CallContext): Promise<PlanRow> {
    if (plan.phase === 'apply') this.access.requireRole(plan, call.principal, 'maintainer');
    return this.driver.retry(plan, call);
  }

  /** A deterministic actor cannot follow guidance: it is kept and shown, and an errored plan is tried again with it. */
  private async guide(plan: PlanRow, { message }: PromptPlanParams, call: CallContext): Promise<PromptPlanView> {
    this.access.requireSteering(plan, call.principal);
    const decision = await this.driver.intervention(plan, call, message, '');
    const isAnnounced = plan.awaiting !== null || plan.state === 'constrained';
    const guided = await this.journal.amend(plan, call.origin, {
      decisions: [decision],
      isAnnounced,
      text: 'Noted.',
    });
    const details = { decision_id: decision.id, message };
    await this.journal.record(plan, call.origin, { event: 'guidance_injected', details });
    if (plan.state !== 'errored') {
      return toPromptPlanView(guided, { decisionId: decision.id, delivered: 'recorded' });
    }
    const retried = await this.retry(guided, { ...call, origin: ownOrigin(call.origin) });
    return toPromptPlanView(retried, { decisionId: decision.id, delivered: 'resumed' });
  }
}
