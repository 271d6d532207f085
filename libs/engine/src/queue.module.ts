import { Module } from '@nestjs/common';
import { JobQueue } from './queue.js';
import { WakeUp } from './queue-wake-up.js';

@Module({ providers: [WakeUp, JobQueue], exports: [WakeUp, JobQueue] })
export class QueueModule {}
