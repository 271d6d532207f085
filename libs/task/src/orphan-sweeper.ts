import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import { RunnerLease } from '@cleveragents/engine';
import { newUlid, type Origin } from '@cleveragents/kernel';
import { AppLogger } from '@cleveragents/observability';
import { LiveTasks } from './log/live-tasks.js';
import { TaskJournal } from './task-journal.js';
import { TaskRepository } from './task.repository.js';

const BATCH = 200;

/**
 * Ends what dead runners left behind: a task in work whose runner is gone, or that its runner no longer holds, fails with
 * AGENT_LOST. Its runner cannot write to it any more: every write is guarded by the runner's name.
 */
@Injectable()
export class OrphanSweeper implements OnModuleInit {
  constructor(
    private readonly lease: RunnerLease,
    private readonly live: LiveTasks,
    private readonly repository: TaskRepository,
    private readonly journal: TaskJournal,
    private readonly transactions: TransactionManager,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    this.lease.addSweep(() => this.sweep());
  }

  async sweep(): Promise<void> {
    for (;;) {
      const orphans = await this.repository.orphans(this.lease.id, this.live.ids(), BATCH);
      for (const { id, runner } of orphans) await this.end(id, runner);
      if (orphans.length < BATCH) return;
    }
  }

  private async end(taskId: string, runner: string): Promise<void> {
    const origin: Origin = { userIdentity: 'system', tokenId: null, method: null, correlationId: newUlid() };
    const parts = [{ text: `The agent was lost (correlation id ${origin.correlationId})` }];
    const message = { messageId: randomUUID(), role: 'ROLE_AGENT' as const, parts };
    await this.transactions.run(async () => {
      if (!(await this.repository.takeFrom(runner, taskId))) return;
      await this.journal.append(
        taskId,
        [{ kind: 'status', state: 'TASK_STATE_FAILED', message, reason: 'AGENT_LOST' }],
        origin,
      );
    });
    this.logger.write('warn', { task_id: taskId, correlation_id: origin.correlationId }, 'A task lost its agent');
  }
}
