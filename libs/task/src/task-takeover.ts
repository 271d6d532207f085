import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import { WakeUp } from '@cleveragents/engine';
import type { Origin } from '@cleveragents/kernel';
import { isTerminal, type TaskState } from '@cleveragents/protocol';
import { isActive } from './domain/task-state.js';
import type { CancelReason } from './task-executor.js';
import { notCancelable, taskNotFound } from './task-errors.js';
import { TaskJournal, type TaskChange } from './task-journal.js';
import { TaskRepository } from './task.repository.js';

/** Signalled with the id of a task that its runner has lost. */
export const TAKEN_TOPIC = 'task-taken';

/**
 * Ends tasks that this process does not run. Their runner, if there is one, cannot write to them any more: every write
 * is guarded by the runner's name.
 */
@Injectable()
export class TaskTakeover {
  constructor(
    private readonly repository: TaskRepository,
    private readonly journal: TaskJournal,
    private readonly transactions: TransactionManager,
    private readonly wakeUp: WakeUp,
  ) {}

  /** Resolves as well if the task is canceled already; refuses one that ended otherwise. */
  async cancel(taskId: string, reason: CancelReason, origin: Origin): Promise<void> {
    await this.transactions.run(async () => {
      const state = await this.repository.takeFrom(null, taskId);
      if (state === null) throw taskNotFound(taskId);
      if (state === 'TASK_STATE_CANCELED') return;
      if (isTerminal(state)) throw notCancelable(state);
      const change: TaskChange = { kind: 'status', state: 'TASK_STATE_CANCELED', reason };
      await this.end(taskId, state, change, origin);
    });
  }

  /** False when `runner` does not hold the task by now. */
  async fail(taskId: string, runner: string, change: TaskChange, origin: Origin): Promise<boolean> {
    return this.transactions.run(async () => {
      const state = await this.repository.takeFrom(runner, taskId);
      if (state === null) return false;
      await this.end(taskId, state, change, origin);
      return true;
    });
  }

  private async end(taskId: string, state: TaskState, change: TaskChange, origin: Origin): Promise<void> {
    await this.journal.append(taskId, [change], origin);
    if (isActive(state)) await this.wakeUp.signal(TAKEN_TOPIC, taskId);
  }
}
