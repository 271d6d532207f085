import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import type { CallContext } from '@cleveragents/jsonrpc';
import { ValidationError } from '@cleveragents/kernel';
import { BRANCH_NAME } from '@cleveragents/workspace';
import { commitIdentityOf } from './commit-identity.js';
import type { GateOverrides } from './domain/gates.js';
import { isAllowed, wrongState } from './domain/plan-state.js';
import type { ApplyPlanParams } from './dto/apply-plan.params.js';
import type { ApplyPlanView } from './dto/apply-plan.view.js';
import type { ExecutePlanParams } from './dto/execute-plan.params.js';
import type { ExecutePlanView } from './dto/execute-plan.view.js';
import { GateKeeper } from './gate-keeper.js';
import { PlanAccess } from './plan-access.js';
import { PlanDriver } from './plan-driver.js';
import { PlanReports } from './plan-reports.js';
import { PlanRest } from './plan-rest.js';
import { situationOf, stageOfPlan } from './plan-situation.js';
import { PlanRepository } from './plan.repository.js';
import type { PlanRow } from './plan.entity.js';

/** Drives plans through their phases, as far as a call asks and the gates allow. */
@Injectable()
export class PlanLifecycle {
  constructor(
    private readonly tx: TransactionManager,
    private readonly plans: PlanRepository,
    private readonly access: PlanAccess,
    private readonly driver: PlanDriver,
    private readonly gates: GateKeeper,
    private readonly rest: PlanRest,
    private readonly reports: PlanReports,
  ) {}

  async execute(params: ExecutePlanParams, call: CallContext): Promise<ExecutePlanView> {
    const driven = await this.tx.run(async () => {
      const plan = await this.access.lock(params.plan_id, call.principal);
      this.access.requireRole(plan, call.principal, 'operator');
      return params.approve === undefined ? this.drive(plan, params, call) : this.answer(plan, params.approve, call);
    });
    const plan = params.wait === true ? await this.rest.afterExecute(driven, call.signal) : driven;
    return this.reports.execution(plan, call);
  }

  async apply(params: ApplyPlanParams, call: CallContext): Promise<ApplyPlanView> {
    refuseUnlessBranchName(params.target_branch);
    const started = await this.tx.run(async () => {
      const plan = await this.access.lock(params.plan_id, call.principal);
      this.access.requireRole(plan, call.principal, 'maintainer');
      refuseUnlessApplicable(plan, params);
      return this.driver.enterApply(plan, requestOf(params, call), call);
    });
    const plan = params.wait === false ? started : await this.rest.afterApply(started, call.signal);
    return this.reports.application(plan);
  }

  private async answer(
    plan: PlanRow,
    { answer, note, decision_id }: NonNullable<ExecutePlanParams['approve']>,
    call: CallContext,
  ): Promise<PlanRow> {
    const given = { answer, note: note ?? answer, decisionId: decision_id ?? null };
    return (await this.gates.answer(plan, given, call)).plan;
  }

  private async drive(plan: PlanRow, params: ExecutePlanParams, call: CallContext): Promise<PlanRow> {
    switch (plan.state) {
      case 'queued':
      case 'processing':
        return this.driveOpen(plan, params, call);
      case 'complete':
        return this.driveComplete(plan, params, call);
      case 'errored':
        return this.retry(plan, call);
      case 'constrained':
        return this.driver.rebase(plan, call);
      case 'cancelled':
        return this.resume(plan, params, call);
      case 'applied':
        throw wrongState(situationOf(plan), 'The plan is applied');
    }
  }

  private async driveOpen(plan: PlanRow, params: ExecutePlanParams, call: CallContext): Promise<PlanRow> {
    const { awaiting } = plan;
    const isGate = awaiting?.kind === 'phase_gate';
    if (plan.phase === 'strategize') {
      const overrides = overridesOf(params);
      if (isGate) return this.driver.begin(plan, call, params.until === 'strategize' ? overrides : {});
      return (await this.startsByItself(plan)) ? this.driver.settleGates(plan, call, overrides) : plan;
    }
    if (awaiting === null) return plan;
    if (isGate) return this.driver.begin(plan, call);
    throw wrongState(situationOf(plan), 'The plan waits for an answer, not for a call', { hint: 'plan/prompt' });
  }

  /** Where strategize needed a call of its own, execute needs one too. */
  private async startsByItself(plan: PlanRow): Promise<boolean> {
    const { profile } = await this.plans.snapshotOf(plan.id);
    return profile.spec.phase_gates.strategize === 'auto';
  }

  private async driveComplete(plan: PlanRow, { until }: ExecutePlanParams, call: CallContext): Promise<PlanRow> {
    if (plan.phase !== 'strategize' || until === 'strategize') return plan;
    return this.driver.enterExecute(plan, call);
  }

  private async retry(plan: PlanRow, call: CallContext): Promise<PlanRow> {
    const situation = situationOf(plan);
    if (!isAllowed('plan/execute', situation)) throw wrongState(situation, 'The failure is not one that a retry mends');
    this.requireApplyRole(plan, call);
    return this.driver.retry(plan, call);
  }

  private async resume(plan: PlanRow, { resume }: ExecutePlanParams, call: CallContext): Promise<PlanRow> {
    const situation = situationOf(plan);
    if (!plan.isSandboxKept) throw wrongState(situation, 'The sandbox of the cancelled plan is no longer kept');
    if (resume !== true) throw wrongState(situation, 'The plan is cancelled', { hint: 'resume:true' });
    this.requireApplyRole(plan, call);
    return this.driver.resume(plan, call);
  }

  /** Going on in the apply phase is applying, whichever method asks for it. */
  private requireApplyRole(plan: PlanRow, call: CallContext): void {
    if (plan.phase === 'apply') this.access.requireRole(plan, call.principal, 'maintainer');
  }
}

/** What a call that comes before the execute gate says about it. */
function overridesOf({ until }: ExecutePlanParams): GateOverrides {
  return { execute: until === 'strategize' ? 'ask' : 'auto' };
}

function requestOf({ message, allow_empty, target_branch }: ApplyPlanParams, call: CallContext) {
  return {
    message: message ?? null,
    allowEmpty: allow_empty ?? false,
    targetBranch: target_branch ?? null,
    author: commitIdentityOf(call.principal),
  };
}

function refuseUnlessBranchName(name: string | undefined): void {
  if (name === undefined || BRANCH_NAME.test(name)) return;
  throw ValidationError.of('target_branch', 'must be a legal branch name');
}

function refuseUnlessApplicable(plan: PlanRow, params: ApplyPlanParams): void {
  const situation = situationOf(plan);
  if (!isAllowed('plan/apply', situation)) {
    throw wrongState(situation, `A plan in ${stageOfPlan(plan)} cannot be applied`);
  }
  const { changeset } = plan;
  if (params.allow_empty !== true && (changeset === null || changeset.files.length === 0)) {
    throw wrongState(situation, 'The plan changed nothing', { hint: 'allow_empty:true' });
  }
  const expected = params.expected_changeset;
  if (expected === undefined || expected === changeset?.hash) return;
  const details = { expected_changeset: expected, changeset_hash: changeset?.hash ?? null, hint: 'plan/diff' };
  throw wrongState(situation, 'The changes are not the ones that were reviewed', details);
}
