import { Module, type DynamicModule } from '@nestjs/common';
import { ConfigModule, type AppConfig } from '@cleveragents/config';
import { DatabaseModule } from '@cleveragents/database';
import { LoggingModule, type AppLogger } from '@cleveragents/observability';
import { NamespaceModule } from '@cleveragents/namespace';
import { PlanModule } from '@cleveragents/plan';
import { RegistryModule } from '@cleveragents/registry';
import { TaskModule } from '@cleveragents/task';
import { WorkspaceModule } from '@cleveragents/workspace';
import { GitProbe } from './git-probe.js';
import { HttpModule } from './http/http.module.js';

/** The composition root: what this process is made of. */
@Module({})
export class ServerModule {
  static forRoot(config: AppConfig, logger: AppLogger): DynamicModule {
    return {
      module: ServerModule,
      imports: [
        ConfigModule.forRoot(config),
        LoggingModule.forRoot(logger),
        DatabaseModule,
        TaskModule,
        NamespaceModule,
        RegistryModule,
        PlanModule,
        WorkspaceModule,
        HttpModule,
      ],
      providers: [GitProbe],
    };
  }
}
