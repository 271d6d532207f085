import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { AppLogger } from '@cleveragents/observability';
import { Executors } from '../executors.js';
import { LiveTasks } from '../log/live-tasks.js';
import { ScriptedAgent } from '../scripted/scripted-agent.js';
import { within } from '../task-watcher.js';
import { AgentExecutor } from './agent-executor.js';

/** Puts the in-process agents that the configuration asks for behind the executor port. */
@Injectable()
export class AgentHost implements OnModuleInit, BeforeApplicationShutdown {
  private readonly hosted: AgentExecutor[] = [];

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly executors: Executors,
    private readonly live: LiveTasks,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    if (!this.config.a2a.testAgent) return;
    const executor = new AgentExecutor(new ScriptedAgent(), this.live, this.logger);
    this.hosted.push(executor);
    this.executors.divertNewTasks(executor);
  }

  /** Runs get the grace period to end by themselves; what is left is aborted and fails. */
  async beforeApplicationShutdown(): Promise<void> {
    const { shutdownGraceMs } = this.config.engine;
    const quiet = Promise.all(this.hosted.map((executor) => executor.drained())).then(() => undefined);
    await within(quiet, shutdownGraceMs / 2, new AbortController().signal);
    await Promise.all(this.hosted.map((executor) => executor.abandon()));
  }
}
