import { Module } from '@nestjs/common';
import { NamespaceModule } from '@cleveragents/namespace';
import { PlanUsage } from './plan-usage.js';

@Module({
  imports: [NamespaceModule],
  providers: [PlanUsage],
  exports: [PlanUsage],
})
export class RegistryModule {}
