import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import type { CallContext } from '@cleveragents/jsonrpc';
import { ResourceNotFoundError } from '@cleveragents/kernel';
import type { Message } from '@cleveragents/protocol';
import { PlanAccess } from './plan-access.js';
import { PlanJournal } from './plan-journal.js';
import { PlanLifecycle } from './plan-lifecycle.service.js';
import { PlanRepository } from './plan.repository.js';

/** Takes up the cancelled plan of a context, for clients that only have messages. */
@Injectable()
export class PlanResumption {
  constructor(
    private readonly tx: TransactionManager,
    private readonly plans: PlanRepository,
    private readonly access: PlanAccess,
    private readonly lifecycle: PlanLifecycle,
    private readonly journal: PlanJournal,
  ) {}

  /** The id of the task in which the plan goes on; the message is the first entry of its history. */
  async resume(contextId: string, message: Message, call: CallContext): Promise<string> {
    return this.tx.run(async () => {
      const newest = await this.plans.findNewestIn(contextId);
      if (newest === null) throw ResourceNotFoundError.of('Plan', { context_id: contextId });
      await this.lifecycle.execute({ plan_id: newest.id, resume: true }, call);
      const plan = await this.access.lock(newest.id, call.principal);
      await this.journal.amend(plan, call.origin, { messages: [message] });
      return plan.taskId;
    });
  }
}
