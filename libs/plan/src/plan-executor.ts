import { Injectable } from '@nestjs/common';
import type { CallContext } from '@cleveragents/jsonrpc';
import { A2aNotAvailableError, BusinessRuleViolation, ResourceNotFoundError } from '@cleveragents/kernel';
import {
  Executor,
  type Accepted,
  type ContinuedTask,
  type IncomingMessage,
  type TaskExecutor,
} from '@cleveragents/task';
import { PlanGuidance } from './plan-guidance.js';
import { PLAN_EXECUTOR } from './plan-journal.js';
import { readReply } from './plan-reply.js';
import { PlanRepository } from './plan.repository.js';
import type { PlanRow } from './plan.entity.js';
import { PlanService } from './plan.service.js';

/** Plans as A2A tasks: a message to the task speaks to the plan, cancelling the task cancels the plan. */
@Executor({ handlesNewTasks: false })
@Injectable()
export class PlanExecutor implements TaskExecutor {
  readonly name = PLAN_EXECUTOR;

  constructor(
    private readonly plans: PlanRepository,
    private readonly service: PlanService,
    private readonly guidance: PlanGuidance,
  ) {}

  /** A plan's task is made with the plan. */
  begin(): Promise<Accepted> {
    return Promise.reject(new A2aNotAvailableError('Plans are started by plan/use or by the assistant'));
  }

  async proceed(task: ContinuedTask, { message }: IncomingMessage, call: CallContext): Promise<void> {
    const plan = await this.planOf(task);
    const reply = readReply(message);
    await this.guidance.reply({ plan_id: plan.id, ...reply }, message, call);
  }

  async cancel(task: ContinuedTask, call: CallContext): Promise<void> {
    const plan = await this.planOf(task);
    try {
      await this.service.cancel({ plan_id: plan.id, reason: 'its task was cancelled' }, call);
    } catch (error) {
      if (!(error instanceof BusinessRuleViolation)) throw error;
      throw new BusinessRuleViolation(error.message, error.details, { reason: 'TASK_NOT_CANCELABLE', cause: error });
    }
  }

  private async planOf({ id }: ContinuedTask): Promise<PlanRow> {
    const plan = await this.plans.findByTask(id);
    if (plan === null) throw ResourceNotFoundError.of('Task', { id });
    return plan;
  }
}
