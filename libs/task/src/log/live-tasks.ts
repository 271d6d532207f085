import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RunnerLease } from '@cleveragents/engine';
import { ResourceNotFoundError } from '@cleveragents/kernel';
import type { TaskFold } from '../domain/task-fold.js';
import { CommitWriter } from './commit-writer.js';
import { LiveTask } from './live-task.js';
import { TaskEventBus } from './task-event-bus.js';
import { TaskReader, WHOLE } from './task-reader.js';

/** The tasks that this process holds in memory: those it runs, and for a moment those it is about to change. */
@Injectable()
export class LiveTasks implements OnModuleInit {
  private readonly tasks = new Map<string, LiveTask>();
  private readonly loading = new Map<string, Promise<LiveTask>>();

  constructor(
    private readonly lease: RunnerLease,
    private readonly writer: CommitWriter,
    private readonly bus: TaskEventBus,
    private readonly reader: TaskReader,
  ) {}

  onModuleInit(): void {
    this.lease.lost.subscribe(() => {
      const lost = this.all();
      this.tasks.clear();
      for (const task of lost) task.lose();
    });
  }

  get size(): number {
    return this.tasks.size;
  }

  ids(): string[] {
    return [...this.tasks.keys()];
  }

  all(): LiveTask[] {
    return [...this.tasks.values()];
  }

  /** Not one whose request turned out to have made its task before: that one is read. */
  find(id: string): LiveTask | undefined {
    const task = this.tasks.get(id);
    return task?.isTwin === true ? undefined : task;
  }

  /** Whether nobody else can write to the task, as far as this process knows. */
  runs(id: string): boolean {
    const task = this.tasks.get(id);
    if (task === undefined || task.isLost) return false;
    return task.fold.isActive || !task.isCommitted;
  }

  /** Takes a new task in and asks for its commit. */
  adopt(fold: TaskFold): LiveTask {
    const task = new LiveTask(fold, this.lease.id, this.writer, this.bus);
    this.tasks.set(task.id, task);
    this.writer.request(task);
    return task;
  }

  /** The task in memory, read from the database if need be. One object per task however many ask at once. */
  async open(id: string): Promise<LiveTask> {
    const known = this.tasks.get(id);
    // One that was lost does not know what others did to the task.
    if (known?.isLost === false) return known;
    const pending = this.loading.get(id) ?? this.load(id);
    this.loading.set(id, pending);
    return pending;
  }

  /** Drops a task that rests; what it has not committed yet stays with the writer. */
  release(task: LiveTask): void {
    if (this.tasks.get(task.id) === task) this.tasks.delete(task.id);
  }

  private async load(id: string): Promise<LiveTask> {
    try {
      const stored = await this.reader.read(id, WHOLE);
      if (stored === null) throw ResourceNotFoundError.of('Task', { id });
      const task = new LiveTask(stored.fold(), this.lease.id, this.writer, this.bus);
      this.tasks.set(id, task);
      return task;
    } finally {
      this.loading.delete(id);
    }
  }
}
