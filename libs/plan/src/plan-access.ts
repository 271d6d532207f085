import { Injectable } from '@nestjs/common';
import { Authorizer } from '@cleveragents/auth';
import { ResourceNotFoundError, hasAtLeast, type Principal, type Role } from '@cleveragents/kernel';
import { PlanRepository } from './plan.repository.js';
import type { PlanRow } from './plan.entity.js';

/** Who may see and touch which plan: the namespaces of all its projects decide together. */
@Injectable()
export class PlanAccess {
  constructor(
    private readonly plans: PlanRepository,
    private readonly authorizer: Authorizer,
  ) {}

  /** The plan, for a caller who may see it; for any other it does not exist. */
  async read(planId: string, principal: Principal): Promise<PlanRow> {
    const plan = await this.plans.find(planId);
    return this.visible(plan, planId, principal);
  }

  /** The same, held until the open transaction ends. */
  async lock(planId: string, principal: Principal): Promise<PlanRow> {
    const plan = await this.plans.lock(planId);
    return this.visible(plan, planId, principal);
  }

  requireRole(plan: PlanRow, principal: Principal, role: Role): void {
    for (const namespace of plan.namespaces) {
      this.authorizer.requireRole(principal, namespace, role, () => planNotFound(plan.id));
    }
  }

  /** What one started one may also steer and end; what others started is for maintainers. */
  requireSteering(plan: PlanRow, principal: Principal): void {
    this.requireRole(plan, principal, plan.createdBy === principal.id ? 'operator' : 'maintainer');
  }

  hasRole(namespaces: readonly string[], principal: Principal, role: Role): boolean {
    return namespaces.every((namespace) => hasAtLeast(this.authorizer.roleIn(principal, namespace), role));
  }

  private visible(plan: PlanRow | null, planId: string, principal: Principal): PlanRow {
    if (plan === null) throw planNotFound(planId);
    this.requireRole(plan, principal, 'viewer');
    return plan;
  }
}

export function planNotFound(planId: string): ResourceNotFoundError {
  return ResourceNotFoundError.of('Plan', { plan_id: planId });
}
