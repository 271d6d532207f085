import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PlanUsage, type EntityKind, type PlanCounts, type PlanUsageSource } from '@cleveragents/registry';
import { PlanRepository } from './plan.repository.js';

/** Tells the registry how many plans use an entity. */
@Injectable()
export class PlanUsageCounts implements PlanUsageSource, OnModuleInit {
  constructor(
    private readonly plans: PlanRepository,
    private readonly usage: PlanUsage,
  ) {}

  onModuleInit(): void {
    this.usage.register(this);
  }

  async countPlans(kind: EntityKind, names: readonly string[]): Promise<ReadonlyMap<string, PlanCounts>> {
    const rows = await this.plans.countUses(kind, names);
    return new Map(rows.map(({ name, total, active }) => [name, { total, active }]));
  }
}
