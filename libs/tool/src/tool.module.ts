import { Module } from '@nestjs/common';
import { CommandCheck } from './command-check.js';
import { CommandRunner } from './command-runner.js';
import { ToolRuntime } from './tool-runtime.js';

@Module({ providers: [CommandRunner, CommandCheck, ToolRuntime], exports: [CommandRunner, CommandCheck, ToolRuntime] })
export class ToolModule {}
