import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { A2aNotAvailableError } from '@cleveragents/kernel';
import { Executor, type TaskExecutor } from './task-executor.js';

/** The executors of this application, found by their decorator. */
@Injectable()
export class Executors implements OnModuleInit {
  private readonly byName = new Map<string, TaskExecutor>();
  private newTasks: TaskExecutor | null = null;
  private diverted: TaskExecutor | null = null;

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const provider of this.discovery.getProviders({ metadataKey: Executor.KEY })) {
      const executor = provider.instance as TaskExecutor | null | undefined;
      const marking = this.discovery.getMetadataByDecorator(Executor, provider);
      if (executor !== null && executor !== undefined) this.add(executor, marking?.handlesNewTasks ?? false);
    }
  }

  add(executor: TaskExecutor, handlesNewTasks: boolean): void {
    if (this.byName.has(executor.name)) throw new Error(`Two executors are named ${executor.name}`);
    this.byName.set(executor.name, executor);
    if (handlesNewTasks) this.newTasks = executor;
  }

  /** Sends every message without a task to `executor`, whoever else would take it. */
  divertNewTasks(executor: TaskExecutor): void {
    this.add(executor, false);
    this.diverted = executor;
  }

  forNewTasks(): TaskExecutor {
    const executor = this.diverted ?? this.newTasks;
    if (executor === null) throw new A2aNotAvailableError('No agent takes messages on this server');
    return executor;
  }

  named(name: string): TaskExecutor {
    const executor = this.byName.get(name);
    if (executor === undefined) throw new A2aNotAvailableError('The agent of this task is not available');
    return executor;
  }
}
