import { Module } from '@nestjs/common';
import { JobQueue } from './queue.js';
import { WakeUpModule } from './wake-up.module.js';

@Module({ imports: [WakeUpModule], providers: [JobQueue], exports: [WakeUpModule, JobQueue] })
export class QueueModule {}
