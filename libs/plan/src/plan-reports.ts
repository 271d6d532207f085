import { Injectable } from '@nestjs/common';
import type { CallContext } from '@cleveragents/jsonrpc';
import { Clock, ValidationError, isUlid, type Principal } from '@cleveragents/kernel';
import { NamespaceService, formatName } from '@cleveragents/namespace';
import { CorrectionComparison } from './correction-comparison.js';
import { ChangesetReader } from './changeset-reader.js';
import { summarise } from './domain/decision-tree.js';
import { allowedMethods } from './domain/plan-state.js';
import type { ApplyPlanView } from './dto/apply-plan.view.js';
import type { CancelPlanView } from './dto/cancel-plan.view.js';
import type { DiffPlanParams } from './dto/diff-plan.params.js';
import { toDiffPlanView, type DiffPlanView } from './dto/diff-plan.view.js';
import type { ExecutePlanView } from './dto/execute-plan.view.js';
import type { ListPlansParams } from './dto/list-plans.params.js';
import type { ListedPlanView, ListPlansView } from './dto/list-plans.view.js';
import { toPlanHead } from './dto/plan-head.view.js';
import { toAwaitingView, toErrorView, type PlanStatusView } from './dto/plan-status.view.js';
import { appliedView, cancelledView, executedView, failureShown, validationFigures } from './plan-figures.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import { situationOf, stageOfPlan } from './plan-situation.js';
import { PlanRepository, type PlanFilter, type StateCounts } from './plan.repository.js';
import type { PlanRow } from './plan.entity.js';

const PAGE = 50;

/** What the plan methods answer about a plan. */
@Injectable()
export class PlanReports {
  constructor(
    private readonly plans: PlanRepository,
    private readonly records: PlanRecordRepository,
    private readonly changesets: ChangesetReader,
    private readonly comparison: CorrectionComparison,
    private readonly namespaces: NamespaceService,
    private readonly clock: Clock,
  ) {}

  async execution(plan: PlanRow, { principal, transport }: CallContext): Promise<ExecutePlanView> {
    const summary = summarise(await this.records.decisionsOf(plan.id));
    const steps = await this.records.stepsOf(plan.id);
    const mayLook = transport === 'stdio' || principal.isServerAdmin;
    return executedView(plan, summary, steps, mayLook);
  }

  async application(plan: PlanRow): Promise<ApplyPlanView> {
    const { targets, validations } = await this.plans.snapshotOf(plan.id);
    const results = await this.records.validationsOf(plan.id);
    const warnings = validations.length === 0 ? ['No validation is attached: nothing was checked'] : [];
    return { ...appliedView(plan, targets, results, this.elapsed(plan)), warnings };
  }

  async cancellation(plan: PlanRow): Promise<CancelPlanView> {
    const checkpoints = await this.records.checkpointsOf(plan.id);
    return cancelledView(plan, checkpoints.length);
  }

  async status(plan: PlanRow): Promise<PlanStatusView> {
    const { profile } = await this.plans.snapshotOf(plan.id);
    const steps = await this.records.stepsOf(plan.id);
    const checkpoints = await this.records.checkpointsOf(plan.id);
    const failure = failureShown(plan);
    return {
      ...toPlanHead(plan),
      namespaced_name: plan.name,
      action: plan.action,
      project: plan.project,
      automation: { profile: profile.name, source: profile.source, read_only: plan.isReadOnly },
      attempt: plan.attempt,
      progress: progressOf(plan, steps),
      timing: { started: plan.startedAt?.toISOString() ?? null, elapsed_ms: this.elapsed(plan), eta_ms: null },
      execution: {
        sandbox: plan.sandboxes[0]?.planBranch ?? null,
        tool_calls: plan.toolCalls,
        files_modified: plan.changeset?.files.length ?? 0,
        child_plans: 0,
        checkpoints: checkpoints.length,
      },
      cost: { tokens_used: 0, cost_so_far: 0, estimated: null },
      validation: validationFigures(await this.records.validationsOf(plan.id)),
      awaiting: toAwaitingView(plan),
      ...(failure === null ? {} : { error: toErrorView(failure, plan.isRecoverable) }),
      ...revertedView(plan),
      task_id: plan.taskId,
      task_ids: await this.plans.taskIdsOf(plan.id),
      allowed_methods: allowedMethods(situationOf(plan)),
    };
  }

  async diff(plan: PlanRow, params: DiffPlanParams): Promise<DiffPlanView> {
    const { paths, context_lines: contextLines, max_bytes: maxBytes, format } = params;
    const changes = await this.changesets.read(plan, { paths, contextLines, maxBytes });
    const hash = changes.length === 0 ? null : this.changesets.freeze(changes).hash;
    const view = toDiffPlanView(plan, changes, { hash, isUnified: format === 'unified' });
    if (params.correction_id === undefined) return view;
    return { ...view, ...(await this.comparison.compare(plan, params.correction_id, changes)) };
  }

  async list(params: ListPlansParams, { principal }: CallContext): Promise<ListPlansView> {
    const filter = this.filterOf(params, principal);
    const limit = params.limit ?? PAGE;
    const rows = await this.plans.page(filter, limit + 1, cursorOf(params));
    const plans = rows.slice(0, limit);
    const { phase, state, project, action } = params;
    return {
      plans: plans.map((plan) => this.listed(plan)),
      filters: { phase: phase ?? null, state: state ?? null, project: project ?? null, action: action ?? null },
      summary: totals(await this.plans.countByState(filter)),
      next_cursor: rows.length > limit ? (plans.at(-1)?.id ?? null) : null,
    };
  }

  private filterOf(params: ListPlansParams, principal: Principal): PlanFilter {
    const { namespace, project, action, phase, state, created_by: createdBy, since } = params;
    const named = (text: string | undefined, path: string): string | undefined =>
      text === undefined ? undefined : formatName(this.namespaces.parseName(text, principal, path));
    return {
      namespaces: principal.grants === 'all' || principal.isServerAdmin ? 'all' : [...principal.grants.keys()],
      namespace: namespace === undefined ? undefined : this.namespaces.parseNamespace(namespace, principal),
      project: named(project, 'project'),
      action: named(action, 'action'),
      phase,
      state,
      createdBy,
      since: since === undefined ? undefined : new Date(since),
    };
  }

  private listed(plan: PlanRow): ListedPlanView {
    const { id, name, phase, state, action, project, createdAt, updatedAt } = plan;
    return {
      id,
      plan_id: id,
      namespaced_name: name,
      phase,
      state,
      status: stageOfPlan(plan),
      action,
      project,
      elapsed_ms: this.elapsed(plan),
      created: createdAt.toISOString(),
      updated: updatedAt.toISOString(),
      awaiting: toAwaitingView(plan),
    };
  }

  private elapsed({ createdAt, endedAt }: PlanRow): number {
    return (endedAt ?? this.clock.now()).getTime() - createdAt.getTime();
  }
}

function revertedView({ applyOutcome }: PlanRow): Pick<PlanStatusView, 'reverted_at' | 'revert_commit'> {
  const reversal = applyOutcome?.reversal;
  if (reversal === undefined) return {};
  return { reverted_at: reversal.at, revert_commit: reversal.commits[0]?.commit ?? null };
}

function cursorOf({ cursor }: ListPlansParams): string | null {
  if (cursor === undefined) return null;
  if (!isUlid(cursor)) throw ValidationError.of('cursor', 'must be a next_cursor of an earlier answer');
  return cursor;
}

function totals(counts: StateCounts): ListPlansView['summary'] {
  const of = (...states: Parameters<StateCounts['get']>[0][]): number =>
    states.reduce((sum, state) => sum + (counts.get(state) ?? 0), 0);
  return {
    total: of(...counts.keys()),
    processing: of('processing'),
    completed: of('complete', 'applied'),
    errored: of('errored', 'constrained'),
    cancelled: of('cancelled'),
  };
}

function progressOf(
  plan: PlanRow,
  steps: Awaited<ReturnType<PlanRecordRepository['stepsOf']>>,
): PlanStatusView['progress'] {
  const hasBegun = steps.length > 0 && plan.phase !== 'strategize';
  if (hasBegun) return steps.map(({ stepId, status }) => ({ step: stepId, status }));
  // Planned anew: of what was done before, only the steps that are still planned matter.
  const statusOf = (id: string): string => steps.find(({ stepId }) => stepId === id)?.status ?? 'queued';
  return plan.strategy?.steps.map(({ id }) => ({ step: id, status: statusOf(id) })) ?? [];
}
