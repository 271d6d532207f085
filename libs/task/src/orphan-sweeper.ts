import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RunnerLease } from '@cleveragents/engine';
import { newUlid, type Origin } from '@cleveragents/kernel';
import { AppLogger } from '@cleveragents/observability';
import { LiveTasks } from './log/live-tasks.js';
import { TakenRuns } from './taken-runs.js';
import { TaskTakeover } from './task-takeover.js';
import { TaskRepository, type Orphan } from './task.repository.js';

const BATCH = 200;

/**
 * Ends what dead runners left behind: a task in work whose runner is gone, or that its runner no longer holds, fails with
 * AGENT_LOST. The other way round, runs of this process whose task was taken from it are stopped.
 */
@Injectable()
export class OrphanSweeper implements OnModuleInit {
  constructor(
    private readonly lease: RunnerLease,
    private readonly live: LiveTasks,
    private readonly repository: TaskRepository,
    private readonly taken: TakenRuns,
    private readonly takeover: TaskTakeover,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    this.lease.addSweep(() => this.sweep());
  }

  async sweep(): Promise<void> {
    await this.taken.stop(this.live.all());
    await this.endOrphans();
  }

  private async endOrphans(): Promise<void> {
    let after = '';
    for (;;) {
      const orphans = await this.repository.orphans(this.lease.id, this.live.ids(), after, BATCH);
      for (const orphan of orphans) await this.end(orphan);
      after = orphans.at(-1)?.id ?? '';
      if (orphans.length < BATCH) return;
    }
  }

  /** One task that cannot be ended must not keep the others waiting. */
  private async end({ id, runner }: Orphan): Promise<void> {
    // Taken in while the database was asked: it is no orphan.
    if (runner === this.lease.id && this.live.find(id) !== undefined) return;
    const origin: Origin = { userIdentity: 'system', tokenId: null, method: null, correlationId: newUlid() };
    const fields = { task_id: id, correlation_id: origin.correlationId };
    try {
      const isEnded = await this.takeover.fail(id, runner, lost(origin), origin);
      if (isEnded) this.logger.write('warn', fields, 'A task lost its agent');
    } catch (error) {
      this.logger.write('error', { ...fields, err: error }, 'A task that lost its agent cannot be ended');
    }
  }
}

function lost({ correlationId }: Origin) {
  const parts = [{ text: `The agent was lost (correlation id ${correlationId})` }];
  const message = { messageId: randomUUID(), role: 'ROLE_AGENT' as const, parts };
  return { kind: 'status' as const, state: 'TASK_STATE_FAILED' as const, message, reason: 'AGENT_LOST' };
}
