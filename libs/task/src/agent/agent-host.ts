import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { AppLogger } from '@cleveragents/observability';
import { Executors } from '../executors.js';
import { LiveTasks } from '../log/live-tasks.js';
import { ScriptedAgent } from '../scripted/scripted-agent.js';
import { TaskTakeover } from '../task-takeover.js';
import { AgentExecutor } from './agent-executor.js';

/** Puts the in-process agents that the configuration asks for behind the executor port. */
@Injectable()
export class AgentHost implements OnModuleInit, BeforeApplicationShutdown {
  private readonly hosted: AgentExecutor[] = [];

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly executors: Executors,
    private readonly live: LiveTasks,
    private readonly takeover: TaskTakeover,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    if (!this.config.a2a.testAgent) return;
    const executor = new AgentExecutor(new ScriptedAgent(), this.live, this.takeover, this.logger);
    this.hosted.push(executor);
    this.executors.divertNewTasks(executor);
  }

  /** Half of the grace period is the runs'; the other half is left for whatever else has to end. */
  async beforeApplicationShutdown(): Promise<void> {
    const { shutdownGraceMs } = this.config.engine;
    await Promise.all(this.hosted.map((executor) => executor.close(shutdownGraceMs / 2)));
  }
}
