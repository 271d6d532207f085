import { Module } from '@nestjs/common';
import { ToolModule } from '@cleveragents/tool';
import { StepExecutor } from './step-executor.js';

@Module({ imports: [ToolModule], providers: [StepExecutor], exports: [StepExecutor] })
export class ActorModule {}
