import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import type { CallContext } from '@cleveragents/jsonrpc';
import { ResourceNotFoundError } from '@cleveragents/kernel';
import type { Message } from '@cleveragents/protocol';
import { PlanAccess } from './plan-access.js';
import { PlanJournal } from './plan-journal.js';
import { PlanLifecycle } from './plan-lifecycle.service.js';
import { PlanUndo } from './plan-undo.js';
import { PlanRepository } from './plan.repository.js';
import type { PlanRow } from './plan.entity.js';

/** Takes up the cancelled plan of a context, or undoes the applied one, for clients that only have messages. */
@Injectable()
export class PlanResumption {
  constructor(
    private readonly tx: TransactionManager,
    private readonly plans: PlanRepository,
    private readonly access: PlanAccess,
    private readonly lifecycle: PlanLifecycle,
    private readonly undoing: PlanUndo,
    private readonly journal: PlanJournal,
  ) {}

  /** The id of the task in which the plan goes on; the message is the first entry of its history. */
  async resume(contextId: string, message: Message, call: CallContext): Promise<string> {
    return this.tx.run(async () => {
      const newest = await this.newestIn(contextId);
      await this.lifecycle.execute({ plan_id: newest.id, resume: true }, call);
      const plan = await this.access.lock(newest.id, call.principal);
      await this.journal.amend(plan, call.origin, { messages: [message] });
      return plan.taskId;
    });
  }

  /** The id of the task that tells of it. */
  async undo(contextId: string, message: Message, call: CallContext): Promise<string> {
    const { id } = await this.newestIn(contextId);
    return (await this.undoing.run({ plan_id: id }, call, [message])).task_id;
  }

  private async newestIn(contextId: string): Promise<PlanRow> {
    const newest = await this.plans.findNewestIn(contextId);
    if (newest === null) throw ResourceNotFoundError.of('Plan', { context_id: contextId });
    return newest;
  }
}
