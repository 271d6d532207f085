import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { HealthProbes } from './health-probes.js';
import { HealthRepository } from './health.repository.js';
import { HealthRpc } from './health.rpc.js';
import { HealthService } from './health.service.js';

@Module({
  imports: [DiscoveryModule],
  providers: [HealthProbes, HealthRepository, HealthService, HealthRpc],
  exports: [HealthService],
})
export class HealthModule {}
