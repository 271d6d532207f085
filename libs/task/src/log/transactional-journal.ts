import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import { Clock, ResourceNotFoundError, type Origin } from '@cleveragents/kernel';
import { StoredTask, type TaskRecord } from '../domain/stored-task.js';
import { RECENT_MESSAGES, TaskFold } from '../domain/task-fold.js';
import { TaskExistsError } from '../task-errors.js';
import { TaskJournal, type NewTask, type TaskChange } from '../task-journal.js';
import { commitStatement, refusalOf } from './commit-statement.js';
import { LargeContents } from './large-contents.js';
import { TaskEventBus } from './task-event-bus.js';
import { TransitionLog } from './transition-log.js';
import { taskColumns } from './task-reader.js';

const LOCK = 'SELECT 1 FROM task WHERE id = $1::uuid FOR UPDATE';
/** A statement of its own: one that waited for the lock would see the other tables as they were before the wait. */
const READ = `SELECT ${taskColumns(String(RECENT_MESSAGES), 'true')} FROM task t WHERE t.id = $1::uuid`;

/** Tasks that another domain owns: written with the rows of the group-commit writer, in that domain's transaction. */
@Injectable()
export class TransactionalJournal extends TaskJournal {
  constructor(
    private readonly transactions: TransactionManager,
    private readonly bus: TaskEventBus,
    private readonly transitions: TransitionLog,
    private readonly contents: LargeContents,
    private readonly clock: Clock,
  ) {
    super();
  }

  async create(task: NewTask, origin: Origin): Promise<string> {
    const at = this.clock.now().toISOString();
    const { messages, metadata, requestKey, ...identity } = task;
    const id = requestKey?.taskId ?? randomUUID();
    const fold = TaskFold.create(
      {
        ...identity,
        id,
        metadata: metadata === undefined ? null : JSON.stringify(metadata),
        requestHash: requestKey?.requestHash ?? null,
        createdAt: at,
      },
      messages,
      origin,
    );
    await this.store(fold);
    return id;
  }

  async append(taskId: string, changes: readonly TaskChange[], origin: Origin): Promise<void> {
    await this.transactions.manager.query(LOCK, [taskId]);
    const rows: TaskRecord[] = await this.transactions.manager.query(READ, [taskId]);
    const [record] = rows;
    if (record === undefined) throw ResourceNotFoundError.of('Task', { id: taskId });
    const fold = new StoredTask(record).fold();
    const at = this.clock.now().toISOString();
    for (const change of changes) fold.apply(change, at, origin);
    if (fold.hasChanges) await this.store(fold);
  }

  private async store(fold: TaskFold): Promise<void> {
    const unit = { delta: fold.takeDelta(), runnerBefore: null, runnerAfter: null };
    await this.contents.keep(unit.delta.contents);
    const { text, values } = commitStatement([unit]);
    try {
      await this.transactions.manager.query(text, values);
    } catch (error) {
      const isTaken = refusalOf(error, unit) === 'exists';
      throw isTaken ? new TaskExistsError(fold.identity.id, { cause: error }) : error;
    }
    this.transactions.afterCommit(() => {
      this.bus.publish(fold.identity.id, unit.delta.events);
      this.transitions.record(unit.delta);
    });
  }
}
