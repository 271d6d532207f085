import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { RunnerLease, WakeUp } from '@cleveragents/engine';
import { AppLogger } from '@cleveragents/observability';
import { LRUCache } from 'lru-cache';
import { TaskEventBus } from '../log/task-event-bus.js';
import { PushDeliverer } from './push-deliverer.js';
import { PushQueue } from './push-queue.repository.js';

/** Signalled with the id of a task that has webhooks: from now on, or something to deliver. */
export const PUSH_TOPIC = 'push';

/** The webhooks of tasks beyond these are found by the next sweep. */
const MAX_WATCHED = 100_000;

/**
 * Makes deliveries begin with the commit of an event instead of with the next sweep. Knows which tasks have webhooks, so
 * that a commit of any other task costs a look into a map. Nothing depends on it: what is due is in the database.
 */
@Injectable()
export class PushWatch implements OnModuleInit {
  private readonly watched = new LRUCache<string, true>({ max: MAX_WATCHED });
  private isComplete = false;

  constructor(
    private readonly bus: TaskEventBus,
    private readonly wakeUp: WakeUp,
    private readonly queue: PushQueue,
    private readonly deliverer: PushDeliverer,
    private readonly lease: RunnerLease,
    private readonly logger: AppLogger,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  onModuleInit(): void {
    this.bus.commits.subscribe((taskId) => this.committed(taskId));
    this.wakeUp.on(PUSH_TOPIC, (taskId) => {
      if (taskId === null) this.isComplete = false;
      else this.signalled(taskId);
    });
    this.lease.addSweep(() => this.sweep());
  }

  /** Also takes over what ended runners were delivering, and what waits for its retry. */
  private async sweep(): Promise<void> {
    if (!this.isComplete) {
      for (const taskId of await this.queue.tasks()) this.watched.set(taskId, true);
      this.isComplete = true;
    }
    if (this.delivers) this.deliverer.lookEverywhere();
  }

  private committed(taskId: string): void {
    if (this.watched.get(taskId) === undefined) return;
    if (this.delivers) this.deliverer.look(taskId);
    else this.tell(taskId);
  }

  private signalled(taskId: string): void {
    this.watched.set(taskId, true);
    if (this.delivers) this.deliverer.look(taskId);
  }

  /** Where only calls are answered, workers deliver. */
  private get delivers(): boolean {
    return this.config.role !== 'api';
  }

  private tell(taskId: string): void {
    this.wakeUp.signal(PUSH_TOPIC, taskId).catch((error: unknown) => {
      this.logger.write('debug', { err: error, task_id: taskId }, 'Workers find out by themselves');
    });
  }
}
