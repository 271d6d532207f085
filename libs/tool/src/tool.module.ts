import { Module } from '@nestjs/common';
import { CommandCheck } from './command-check.js';
import { ToolRuntime } from './tool-runtime.js';

@Module({ providers: [CommandCheck, ToolRuntime], exports: [CommandCheck, ToolRuntime] })
export class ToolModule {}
