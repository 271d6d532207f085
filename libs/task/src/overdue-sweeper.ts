import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditLog } from '@cleveragents/audit';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { TransactionManager } from '@cleveragents/database';
import { RunnerLease } from '@cleveragents/engine';
import type { CallContext } from '@cleveragents/jsonrpc';
import { BusinessRuleViolation } from '@cleveragents/kernel';
import { AppLogger } from '@cleveragents/observability';
import type { StoredTask } from './domain/stored-task.js';
import { Executors } from './executors.js';
import { BARE, TaskReader } from './log/task-reader.js';
import { systemCallFor } from './system-call.js';
import { TaskRepository } from './task.repository.js';

const BATCH = 200;

/**
 * Cancels tasks that have been in work for too long without an event (decisions P20), whoever runs them and however well
 * their runner is. Every replica looks; the alarm is raised by the one that notes it first.
 */
@Injectable()
export class OverdueSweeper implements OnModuleInit {
  constructor(
    private readonly lease: RunnerLease,
    private readonly repository: TaskRepository,
    private readonly reader: TaskReader,
    private readonly executors: Executors,
    private readonly transactions: TransactionManager,
    private readonly audit: AuditLog,
    private readonly logger: AppLogger,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  onModuleInit(): void {
    this.lease.addSweep(() => this.sweep());
  }

  async sweep(): Promise<void> {
    for (const id of await this.repository.overdue(this.config.a2a.workingLimitMs, BATCH)) {
      const task = await this.reader.read(id, BARE);
      if (task !== null) await this.end(task);
    }
  }

  /** One task that cannot be canceled must not keep the others waiting; it is tried again with the next sweep. */
  private async end(task: StoredTask): Promise<void> {
    const call = systemCallFor(task);
    const fields = { task_id: task.id, correlation_id: call.origin.correlationId };
    try {
      const isNew = await this.note(task, call);
      if (isNew) this.logger.write('error', fields, 'A task has made no progress for too long and is canceled');
      await this.executors.named(task.executor).cancel(task, call, 'WORKING_LIMIT');
    } catch (error) {
      // It has ended or moved on by itself, or is at a point at which its executor cancels nothing.
      const level = error instanceof BusinessRuleViolation ? 'debug' : 'error';
      this.logger.write(level, { ...fields, err: error }, 'An overdue task cannot be canceled');
    }
  }

  private async note({ id, namespace, contextId, executor }: StoredTask, { origin }: CallContext): Promise<boolean> {
    const { workingLimitMs } = this.config.a2a;
    return this.transactions.run(async () => {
      if (!(await this.repository.noteOverdue(id, workingLimitMs))) return false;
      const details = { executor, limit_ms: workingLimitMs };
      const place = { namespace, taskId: id, contextId };
      await this.audit.record({ event: 'task_overdue', outcome: 'failed', origin, ...place, details });
      return true;
    });
  }
}
