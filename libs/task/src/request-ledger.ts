import { Injectable } from '@nestjs/common';
import { ValidationError } from '@cleveragents/kernel';
import { LRUCache } from 'lru-cache';
import { IDEMPOTENCY_WINDOW_MS, type RequestKey } from './domain/idempotency.js';
import { TaskLostError } from './log/live-task.js';
import { LiveTasks } from './log/live-tasks.js';
import { BARE, TaskReader } from './log/task-reader.js';
import { TaskExistsError } from './task-errors.js';

/** Requests remembered in memory; older retries are found by the primary key when their commit is refused. */
const REMEMBERED = 50_000;

/** Finds the task that an earlier copy of a request made. */
@Injectable()
export class RequestLedger {
  private readonly known = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(
    private readonly live: LiveTasks,
    private readonly reader: TaskReader,
  ) {}

  /** The key under which to begin, or the task to join because an earlier copy of the request made it. */
  async resolve(key: RequestKey): Promise<{ readonly key: RequestKey; readonly isTwin: boolean }> {
    const running = this.live.find(key.taskId);
    if (running === undefined && !this.known.has(key.taskId)) return { key, isTwin: false };
    const twin = running?.fold.identity ?? (await this.reader.read(key.taskId, BARE));
    if (twin === null) return { key, isTwin: false };
    if (Date.now() - new Date(twin.createdAt).getTime() > IDEMPOTENCY_WINDOW_MS) return this.resolve(key.next());
    if (twin.requestHash !== key.requestHash) {
      throw ValidationError.of('idempotencyKey', 'was used for another payload', 'IDEMPOTENCY_KEY_REUSED');
    }
    return { key, isTwin: true };
  }

  remember(taskId: string): void {
    this.known.set(taskId, true);
  }

  /** True when the request turns out to be stored already: resolving it again finds its task. */
  recognises(error: unknown): boolean {
    const isStored = error instanceof TaskExistsError || (error instanceof TaskLostError && error.refusal === 'exists');
    if (isStored) this.remember(error.taskId);
    return isStored;
  }
}
