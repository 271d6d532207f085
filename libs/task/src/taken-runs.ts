import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RunnerLease, WakeUp } from '@cleveragents/engine';
import { AppLogger } from '@cleveragents/observability';
import type { LiveTask } from './log/live-task.js';
import { LiveTasks } from './log/live-tasks.js';
import { TAKEN_TOPIC } from './task-takeover.js';
import { TaskRepository } from './task.repository.js';

/**
 * Stops runs of this process whose task was taken from it, for example by a cancel on another replica: a run that does
 * not write would not notice. A signal says where to look, the task's row says whether it is so.
 */
@Injectable()
export class TakenRuns implements OnModuleInit {
  constructor(
    private readonly lease: RunnerLease,
    private readonly live: LiveTasks,
    private readonly repository: TaskRepository,
    private readonly wakeUp: WakeUp,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    this.wakeUp.on(TAKEN_TOPIC, (taskId) => {
      this.heard(taskId).catch((error: unknown) => {
        this.logger.write('warn', { err: error, task_id: taskId }, 'Runs to stop are found by the next sweep');
      });
    });
  }

  /** Stops those of the given tasks that are not this runner's any more. */
  async stop(tasks: readonly LiveTask[]): Promise<void> {
    const held = new Map(tasks.flatMap((task) => (task.isHeld ? [[task, task.committedSeq]] : [])));
    if (held.size === 0) return;
    const kept = await this.repository.heldBy(
      this.lease.id,
      Array.from(held.keys(), ({ id }) => id),
    );
    for (const [task, seq] of held) {
      // One that moved while the database was asked is judged the next time, or by its next write.
      if (!kept.has(task.id) && task.isHeld && task.committedSeq === seq) task.lose();
    }
  }

  private async heard(taskId: string | null): Promise<void> {
    if (taskId === null) return this.stop(this.live.all());
    const task = this.live.find(taskId);
    if (task === undefined) return;
    // A write under way may have been stored before the task was taken.
    await task.settled().catch(() => undefined);
    await this.stop([task]);
  }
}
