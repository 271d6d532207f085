import { Module } from '@nestjs/common';
import { WakeUp } from './queue-wake-up.js';

@Module({ providers: [WakeUp], exports: [WakeUp] })
export class WakeUpModule {}
