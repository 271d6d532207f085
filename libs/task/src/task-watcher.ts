import { Injectable } from '@nestjs/common';
import { TaskEventBus } from './log/task-event-bus.js';
import { BARE, TaskReader } from './log/task-reader.js';

/** Waiting for a task to rest without holding anything open: neither a transaction nor a connection. */
@Injectable()
export class TaskWatcher {
  constructor(
    private readonly bus: TaskEventBus,
    private readonly reader: TaskReader,
  ) {}

  /** Resolves when the task is terminal or waits for the client, after `limitMs`, or when the caller leaves. */
  async untilRest(taskId: string, limitMs: number, signal: AbortSignal): Promise<void> {
    let atRest: () => void = () => undefined;
    const rest = new Promise<void>((resolve) => (atRest = resolve));
    const subscription = this.bus.events(taskId).subscribe((event) => {
      if (event.isRest) atRest();
    });
    try {
      const task = await this.reader.read(taskId, BARE);
      if (task === null || task.isResting) return;
      this.bus.startsAt(taskId, task.lastSeq);
      await within(rest, limitMs, signal);
    } finally {
      subscription.unsubscribe();
    }
  }
}

/** True when `promise` came first; false after `limitMs` or on abort. A rejection passes through. */
export async function within(promise: Promise<void>, limitMs: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  let giveUp: () => void = () => undefined;
  const end = new Promise<false>((resolve) => (giveUp = () => resolve(false)));
  const timer = setTimeout(giveUp, limitMs);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([promise.then(() => true), end]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}
