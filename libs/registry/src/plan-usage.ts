import { Injectable } from '@nestjs/common';
import type { EntityKind } from './domain/entity-kind.js';

export interface PlanCounts {
  /** Plans that are not over. */
  readonly active: number;
  readonly total: number;
}

/** Tells how many plans used an entity; the plan library is the one that knows. */
export interface PlanUsageSource {
  /** Counts by canonical name; a name without plans may be absent. */
  countPlans(kind: EntityKind, names: readonly string[]): Promise<ReadonlyMap<string, PlanCounts>>;
}

const NO_PLANS: PlanCounts = { active: 0, total: 0 };

/** Where the plan library announces its counts, since the registry must not know it. */
@Injectable()
export class PlanUsage {
  private source: PlanUsageSource | null = null;

  register(source: PlanUsageSource): void {
    this.source = source;
  }

  async of(kind: EntityKind, names: readonly string[]): Promise<(name: string) => PlanCounts> {
    const counts = await this.source?.countPlans(kind, names);
    return (name) => counts?.get(name) ?? NO_PLANS;
  }
}
