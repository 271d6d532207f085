import { Module } from '@nestjs/common';
import { GitWorkspace } from './git-workspace.js';

@Module({ providers: [GitWorkspace], exports: [GitWorkspace] })
export class WorkspaceModule {}
