import type { Origin } from '@cleveragents/kernel';
import type { TaskChange } from '../task-journal.js';
import type { TaskFold } from '../domain/task-fold.js';
import type { CommitUnit } from './commit-statement.js';
import type { Committable, CommitWriter } from './commit-writer.js';
import type { TaskEventBus } from './task-event-bus.js';

/** Why a live task is no longer this process's to write. */
export class TaskLostError extends Error {
  constructor(
    readonly taskId: string,
    options?: ErrorOptions,
  ) {
    super(`Task ${taskId} is no longer held by this runner`, options);
    this.name = 'TaskLostError';
  }
}

interface Waiter {
  readonly isDone: () => boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * A task that this process runs: the fold in memory, what of it is durable, and who waits for which point. Nobody
 * outside sees a change before it is committed.
 */
export class LiveTask implements Committable {
  /** Everything up to this event is durable. */
  committedSeq: number;
  private committedMessages: number;
  private failure: Error | null = null;
  private heldBy: string | null;
  private waiters: Waiter[] = [];
  private origin: Origin;

  constructor(
    readonly fold: TaskFold,
    origin: Origin,
    private readonly runnerId: string,
    private readonly writer: CommitWriter,
    private readonly bus: TaskEventBus,
  ) {
    const isNew = fold.hasChanges;
    this.committedSeq = isNew ? 0 : fold.lastSeq;
    this.committedMessages = isNew ? 0 : fold.messageCount;
    this.heldBy = null;
    this.origin = origin;
  }

  get id(): string {
    return this.fold.identity.id;
  }

  get isLost(): boolean {
    return this.failure !== null;
  }

  get hasChanges(): boolean {
    return this.failure === null && this.fold.hasChanges;
  }

  get isCommitted(): boolean {
    return this.committedSeq === this.fold.lastSeq && this.committedMessages === this.fold.messageCount;
  }

  /** Applies changes in order and asks for their commit; stops with an error at one that the state forbids. */
  apply(changes: readonly TaskChange[], origin: Origin = this.origin): void {
    if (this.failure !== null) throw this.failure;
    this.origin = origin;
    const at = new Date().toISOString();
    for (const change of changes) this.fold.apply(change, at);
    this.writer.request(this);
  }

  /** Resolves once all that has been applied so far is durable. */
  settled(): Promise<void> {
    const { lastSeq, messageCount } = this.fold;
    return this.until(() => this.committedSeq >= lastSeq && this.committedMessages >= messageCount);
  }

  /** Resolves once the task rests (terminal or interrupted) and that is durable. */
  rested(): Promise<void> {
    return this.until(() => this.fold.isResting && this.isCommitted);
  }

  /** True once the task rests and that is durable; false when `limitMs` is over before. */
  restedWithin(limitMs: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiters = this.waiters.filter((other) => other !== waiter);
        resolve(false);
      }, limitMs);
      const waiter: Waiter = {
        isDone: () => this.fold.isResting && this.isCommitted,
        resolve: () => {
          clearTimeout(timer);
          resolve(true);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.waiters.push(waiter);
      if (this.failure !== null || waiter.isDone()) this.wake();
    });
  }

  takeUnit(): CommitUnit | null {
    if (!this.hasChanges) return null;
    const runnerBefore = this.heldBy;
    const runnerAfter = this.fold.isActive ? this.runnerId : null;
    this.heldBy = runnerAfter;
    return { delta: this.fold.takeDelta(), origin: this.origin, runnerBefore, runnerAfter };
  }

  committed({ delta }: CommitUnit): void {
    this.committedSeq = delta.after.lastSeq;
    this.committedMessages = delta.after.messageCount;
    this.bus.publish(this.id, delta.events);
    this.wake();
  }

  failed(_unit: CommitUnit, error: Error): void {
    this.lose(error);
  }

  /** Nothing more is written: another process has the task, or its commit was refused. */
  lose(cause?: Error): void {
    this.failure ??= new TaskLostError(this.id, { cause });
    this.wake();
  }

  private until(isDone: () => boolean): Promise<void> {
    if (this.failure !== null) return Promise.reject(this.failure);
    if (isDone()) return Promise.resolve();
    return new Promise((resolve, reject) => this.waiters.push({ isDone, resolve, reject }));
  }

  private wake(): void {
    if (this.waiters.length === 0) return;
    const waiters = this.waiters;
    this.waiters = [];
    for (const waiter of waiters) {
      if (this.failure !== null) waiter.reject(this.failure);
      else if (waiter.isDone()) waiter.resolve();
      else this.waiters.push(waiter);
    }
  }
}
