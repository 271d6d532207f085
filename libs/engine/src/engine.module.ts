import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RunnerLease } from './runner-lease.js';
import { RunnerRow } from './runner.entity.js';
import { RunnerRepository } from './runner.repository.js';
import { WakeUpModule } from './wake-up.module.js';

@Module({
  imports: [TypeOrmModule.forFeature([RunnerRow]), WakeUpModule],
  providers: [RunnerRepository, RunnerLease],
  exports: [RunnerLease],
})
export class EngineModule {}
