import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import type { CallContext } from '@cleveragents/jsonrpc';
import {
  Clock,
  DuplicateEntityError,
  ResourceNotFoundError,
  ValidationError,
  canonicalJson,
} from '@cleveragents/kernel';
import { isAllowed, wrongState } from './domain/plan-state.js';
import type { CancelPlanParams } from './dto/cancel-plan.params.js';
import type { CancelPlanView } from './dto/cancel-plan.view.js';
import type { DiffPlanParams } from './dto/diff-plan.params.js';
import type { DiffPlanView } from './dto/diff-plan.view.js';
import type { ExplainDecisionParams } from './dto/explain-decision.params.js';
import { toDecisionView, type DecisionView } from './dto/decision.view.js';
import type { ListPlansParams } from './dto/list-plans.params.js';
import type { ListPlansView } from './dto/list-plans.view.js';
import type { PlanArtifactsParams } from './dto/plan-artifacts.params.js';
import type { PlanArtifactsView } from './dto/plan-artifacts.view.js';
import type { PlanIdParams } from './dto/plan-id.params.js';
import type { PlanStatusView } from './dto/plan-status.view.js';
import type { PlanTreeParams } from './dto/plan-tree.params.js';
import { toPlanTreeView, type PlanTreeView } from './dto/plan-tree.view.js';
import type { PromptPlanParams } from './dto/prompt-plan.params.js';
import type { PromptPlanView } from './dto/prompt-plan.view.js';
import type { UsePlanParams } from './dto/use-plan.params.js';
import { toUsePlanView, type UsePlanView } from './dto/use-plan.view.js';
import { PlanAccess } from './plan-access.js';
import { PlanArtifacts } from './plan-artifacts.js';
import { PlanCreation, keysSince, type PlanCircumstances } from './plan-creation.js';
import { PlanDrafting } from './plan-drafting.js';
import { PlanDriver } from './plan-driver.js';
import { PlanGuidance } from './plan-guidance.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import { PlanReports } from './plan-reports.js';
import { situationOf, stageOfPlan } from './plan-situation.js';
import { PlanRepository } from './plan.repository.js';
import type { PlanRow } from './plan.entity.js';

/** Plans: making, ending, steering and reading them. */
@Injectable()
export class PlanService {
  constructor(
    private readonly tx: TransactionManager,
    private readonly plans: PlanRepository,
    private readonly records: PlanRecordRepository,
    private readonly access: PlanAccess,
    private readonly drafting: PlanDrafting,
    private readonly creation: PlanCreation,
    private readonly driver: PlanDriver,
    private readonly guidance: PlanGuidance,
    private readonly reports: PlanReports,
    private readonly artifacts: PlanArtifacts,
    private readonly clock: Clock,
  ) {}

  async createPlan(
    params: UsePlanParams,
    call: CallContext,
    circumstances: PlanCircumstances = {},
  ): Promise<UsePlanView> {
    const idempotency = idempotencyOf(params, call);
    const earlier = idempotency === undefined ? null : await this.earlier(idempotency, call);
    const plan = earlier ?? (await this.createOnce(params, call, { idempotency, ...circumstances }));
    return toUsePlanView(plan, await this.plans.snapshotOf(plan.id));
  }

  /** Idempotent: a plan that is cancelled already stays as it is. */
  async cancel(params: CancelPlanParams, call: CallContext): Promise<CancelPlanView> {
    const plan = await this.tx.run(async () => {
      const locked = await this.access.lock(params.plan_id, call.principal);
      this.access.requireSteering(locked, call.principal);
      if (locked.state === 'cancelled') return locked;
      const situation = situationOf(locked);
      if (!isAllowed('plan/cancel', situation)) {
        throw wrongState(situation, `A plan in ${stageOfPlan(locked)} cannot be cancelled any more`);
      }
      return this.driver.cancel(locked, call, params.reason ?? 'cancelled by the caller');
    });
    return this.reports.cancellation(plan);
  }

  async getStatus({ plan_id }: PlanIdParams, call: CallContext): Promise<PlanStatusView> {
    return this.reports.status(await this.access.read(plan_id, call.principal));
  }

  async getTree(params: PlanTreeParams, call: CallContext): Promise<PlanTreeView> {
    const plan = await this.access.read(params.plan_id, call.principal);
    return toPlanTreeView(plan, await this.records.decisionsOf(plan.id), {
      depth: params.depth,
      showSuperseded: params.show_superseded,
    });
  }

  async explainDecision(params: ExplainDecisionParams, call: CallContext): Promise<DecisionView> {
    const plan = await this.access.read(params.plan_id, call.principal);
    const decisions = await this.records.decisionsOf(plan.id);
    const decision = decisions.find(({ id }) => id === params.decision_id);
    if (decision === undefined) throw ResourceNotFoundError.of('Decision', { decision_id: params.decision_id });
    return toDecisionView(plan, decision, decisions);
  }

  async getDiff(params: DiffPlanParams, call: CallContext): Promise<DiffPlanView> {
    return this.reports.diff(await this.access.read(params.plan_id, call.principal), params);
  }

  async listArtifacts(params: PlanArtifactsParams, call: CallContext): Promise<PlanArtifactsView> {
    return this.artifacts.list(await this.access.read(params.plan_id, call.principal), params);
  }

  async injectGuidance(params: PromptPlanParams, call: CallContext): Promise<PromptPlanView> {
    return this.guidance.inject(params, call);
  }

  async list(params: ListPlansParams, call: CallContext): Promise<ListPlansView> {
    return this.reports.list(params, call);
  }

  private async createOnce(
    params: UsePlanParams,
    call: CallContext,
    circumstances: PlanCircumstances,
  ): Promise<PlanRow> {
    const draft = await this.drafting.draft(params, call.principal);
    const { idempotency } = circumstances;
    try {
      return await this.creation.create(draft, call, circumstances);
    } catch (error) {
      // The same request came twice at the same moment, and the other one was quicker.
      const isTwin = error instanceof DuplicateEntityError && idempotency !== undefined;
      const earlier = isTwin ? await this.earlier(idempotency, call) : null;
      if (earlier === null) throw error;
      return earlier;
    }
  }

  /** The plan that the same request has made before. */
  private async earlier(
    { key, requestHash }: NonNullable<PlanCircumstances['idempotency']>,
    { principal }: CallContext,
  ): Promise<PlanRow | null> {
    const plan = await this.plans.findByKey(principal.id, key, keysSince(this.clock.now()));
    if (plan === null || plan.requestHash === requestHash) return plan;
    throw ValidationError.of('idempotency_key', 'was used for another request', 'IDEMPOTENCY_KEY_REUSED');
  }
}

function idempotencyOf(params: UsePlanParams, call: CallContext): PlanCircumstances['idempotency'] {
  const { idempotency_key: ownKey, ...request } = params;
  const key = ownKey ?? call.idempotencyKey;
  if (key === null) return undefined;
  return { key, requestHash: createHash('sha256').update(canonicalJson(request)).digest('hex') };
}
