import { Injectable } from '@nestjs/common';
import type { CallContext } from '@cleveragents/jsonrpc';
import type { Message } from '@cleveragents/protocol';
import { A2aNotAvailableError, BusinessRuleViolation, ResourceNotFoundError } from '@cleveragents/kernel';
import {
  Executor,
  type Accepted,
  type CancelReason,
  type ContinuedTask,
  type IncomingMessage,
  type TaskExecutor,
} from '@cleveragents/task';
import { decisionOf, readCorrectionWish, type CorrectionWish } from './correction-message.js';
import { PlanCorrection } from './plan-correction.js';
import { PlanGuidance } from './plan-guidance.js';
import { PLAN_EXECUTOR } from './plan-journal.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import { readReply } from './plan-reply.js';
import { PlanRepository } from './plan.repository.js';
import type { PlanRow } from './plan.entity.js';
import { PlanService } from './plan.service.js';

/** What a plan says of its end when its task was canceled. */
const REASONS: Readonly<Record<CancelReason, string>> = {
  CANCELED_BY_CLIENT: 'its task was cancelled',
  WORKING_LIMIT: 'WORKING_LIMIT: it has made no progress for too long',
};

/** Plans as A2A tasks: a message to the task speaks to the plan, cancelling the task cancels the plan. */
@Executor({ handlesNewTasks: false })
@Injectable()
export class PlanExecutor implements TaskExecutor {
  readonly name = PLAN_EXECUTOR;

  constructor(
    private readonly plans: PlanRepository,
    private readonly service: PlanService,
    private readonly guidance: PlanGuidance,
    private readonly corrections: PlanCorrection,
    private readonly records: PlanRecordRepository,
  ) {}

  /** A plan's task is made with the plan. */
  begin(): Promise<Accepted> {
    return Promise.reject(new A2aNotAvailableError('Plans are started by plan/use or by the assistant'));
  }

  async proceed(task: ContinuedTask, { message }: IncomingMessage, call: CallContext): Promise<void> {
    const plan = await this.planOf(task);
    const wish = readCorrectionWish(message);
    if (wish !== null) return this.correct(plan, wish, message, call);
    const reply = readReply(message);
    await this.guidance.reply({ plan_id: plan.id, ...reply }, message, call);
  }

  async cancel(task: ContinuedTask, call: CallContext, reason: CancelReason): Promise<void> {
    const plan = await this.planOf(task);
    try {
      await this.service.cancel({ plan_id: plan.id, reason: REASONS[reason] }, call);
    } catch (error) {
      if (!(error instanceof BusinessRuleViolation)) throw error;
      throw new BusinessRuleViolation(error.message, error.details, { reason: 'TASK_NOT_CANCELABLE', cause: error });
    }
  }

  private async correct(plan: PlanRow, wish: CorrectionWish, message: Message, call: CallContext): Promise<void> {
    const decision_id = decisionOf(wish, await this.records.decisionsOf(plan.id));
    await this.corrections.correct({ plan_id: plan.id, decision_id, correction: wish.correction }, call, [message]);
  }

  private async planOf({ id }: ContinuedTask): Promise<PlanRow> {
    const plan = await this.plans.findByTask(id);
    if (plan === null) throw ResourceNotFoundError.of('Task', { id });
    return plan;
  }
}
