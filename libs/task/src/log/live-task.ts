import type { Origin } from '@cleveragents/kernel';
import type { TaskChange } from '../task-journal.js';
import type { TaskFold } from '../domain/task-fold.js';
import { refusalOf, type CommitRefusal, type CommitUnit } from './commit-statement.js';
import type { Committable, CommitWriter } from './commit-writer.js';
import type { TaskEventBus } from './task-event-bus.js';

/** Why a live task is no longer this process's to write. */
export class TaskLostError extends Error {
  constructor(
    readonly taskId: string,
    /** What the database refused, if that is why. */
    readonly refusal: CommitRefusal | null = null,
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

/** Whoever works on a live task and must stop when it is lost. */
export interface TaskHolder {
  taskLost(error: TaskLostError): void;
}

/**
 * A task that this process runs: the fold in memory, what of it is durable, and who waits for which point. Nobody
 * outside sees a change before it is committed.
 */
export class LiveTask implements Committable {
  holder: TaskHolder | null = null;
  /** Everything up to this event is durable. */
  committedSeq: number;
  private committedMessages: number;
  private failure: TaskLostError | null = null;
  private heldBy: string | null = null;
  private waiters: Waiter[] = [];

  constructor(
    readonly fold: TaskFold,
    private readonly runnerId: string,
    private readonly writer: CommitWriter,
    private readonly bus: TaskEventBus,
  ) {
    const isNew = fold.hasChanges;
    this.committedSeq = isNew ? 0 : fold.lastSeq;
    this.committedMessages = isNew ? 0 : fold.messageCount;
  }

  get id(): string {
    return this.fold.identity.id;
  }

  get isLost(): boolean {
    return this.failure !== null;
  }

  /** The request that made it had made the task before. */
  get isTwin(): boolean {
    return this.failure?.refusal === 'exists';
  }

  get hasChanges(): boolean {
    return this.failure === null && this.fold.hasChanges;
  }

  get isCommitted(): boolean {
    return this.committedSeq === this.fold.lastSeq && this.committedMessages === this.fold.messageCount;
  }

  /** The task row names this runner, as far as this process knows: nothing is under way that would change it. */
  get isHeld(): boolean {
    return this.failure === null && this.heldBy === this.runnerId && this.isCommitted;
  }

  /** Applies changes in order and asks for their commit; stops with an error at one that the state forbids. */
  apply(changes: readonly TaskChange[], origin: Origin): void {
    if (this.failure !== null) throw this.failure;
    const at = new Date().toISOString();
    try {
      for (const change of changes) this.fold.apply(change, at, origin);
    } finally {
      this.writer.request(this);
    }
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
    return { delta: this.fold.takeDelta(), runnerBefore, runnerAfter };
  }

  committed({ delta }: CommitUnit): void {
    this.committedSeq = delta.after.lastSeq;
    this.committedMessages = delta.after.messageCount;
    this.bus.publish(this.id, delta.events);
    this.wake();
  }

  failed(unit: CommitUnit, error: Error): void {
    this.lose(new TaskLostError(this.id, refusalOf(error, unit), { cause: error }));
  }

  /** Nothing more is written: another process has the task, or its commit was refused. */
  lose(error = new TaskLostError(this.id)): void {
    if (this.failure !== null) return;
    this.failure = error;
    this.wake();
    this.bus.doubt(this.id);
    this.holder?.taskLost(error);
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
