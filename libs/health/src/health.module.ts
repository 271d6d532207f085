import { Module } from '@nestjs/common';
import { HealthRepository } from './health.repository.js';
import { HealthRpc } from './health.rpc.js';
import { HealthService } from './health.service.js';

@Module({ providers: [HealthRepository, HealthService, HealthRpc], exports: [HealthService] })
export class HealthModule {}
