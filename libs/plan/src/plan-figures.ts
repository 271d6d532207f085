import type { TreeSummary } from './domain/decision-tree.js';
import { stateOf, type Stage } from './domain/plan-state.js';
import type { ApplyPlanView, ValidationView } from './dto/apply-plan.view.js';
import type { CancelPlanView } from './dto/cancel-plan.view.js';
import type { ExecutePlanView, SandboxView } from './dto/execute-plan.view.js';
import { toPlanHead } from './dto/plan-head.view.js';
import type { PlanStatusView } from './dto/plan-status.view.js';
import { stageOfPlan } from './plan-situation.js';
import type { PlanTarget } from './plan-snapshot.entity.js';
import type { PlanStepRow } from './plan-step.entity.js';
import type { PlanValidationResultRow } from './plan-validation-result.entity.js';
import type { PlanFailure, PlanRow } from './plan.entity.js';

export function executedView(
  plan: PlanRow,
  { nodes, invariants, childPlans }: TreeSummary,
  steps: readonly PlanStepRow[],
  mayLook: boolean,
): ExecutePlanView {
  const stage = stageOfPlan(plan);
  return {
    ...toPlanHead(plan),
    sandbox: sandboxView(plan, mayLook),
    worker: plan.leaseOwner,
    started: plan.phaseStartedAt?.toISOString() ?? null,
    attempt: plan.attempt,
    strategy_summary: {
      decisions: nodes,
      invariants,
      planned_child_plans: childPlans,
      estimated_files: null,
      risk: 'unknown',
    },
    progress: progressLabels(plan, steps),
    task_id: plan.taskId,
    ...(stage === 'execute/complete' && !plan.isReadOnly ? { hint: 'plan/apply' } : {}),
  };
}

function sandboxView({ sandboxes, applyOutcome, isSandboxKept }: PlanRow, mayLook: boolean): SandboxView | null {
  const [first] = sandboxes;
  if (first === undefined) return null;
  const status = applyOutcome === null && isSandboxKept ? 'active' : 'removed';
  const { strategy, planBranch: branch, root: path } = first;
  return { strategy, branch, status, ...(mayLook ? { path } : {}) };
}

/** The four labels that people are shown while a plan executes. */
function progressLabels(plan: PlanRow, steps: readonly PlanStepRow[]): ExecutePlanView['progress'] {
  const hasRun = steps.length > 0 && steps.every(({ endedAt }) => endedAt !== null);
  const isFixed = plan.changeset !== null;
  return [
    { label: 'Collect context', status: labelStatus(plan, plan.strategy !== null, true) },
    { label: 'Run tools', status: labelStatus(plan, hasRun, steps.length > 0) },
    { label: 'Build changeset', status: labelStatus(plan, hasRun || isFixed, false) },
    { label: 'Validate', status: labelStatus(plan, isFixed, hasRun) },
  ];
}

function labelStatus({ state }: PlanRow, isDone: boolean, hasBegun: boolean): string {
  if (isDone) return 'done';
  if (!hasBegun) return 'queued';
  if (state === 'errored') return 'failed';
  return state === 'processing' ? 'running' : 'queued';
}

export function appliedView(
  plan: PlanRow,
  targets: readonly PlanTarget[],
  results: readonly PlanValidationResultRow[],
  elapsedMs: number,
): Omit<ApplyPlanView, 'warnings'> {
  const { changeset, applyOutcome, phase, state } = plan;
  return {
    ...toPlanHead(plan),
    artifacts: changeset?.files.length ?? 0,
    changes: { insertions: changeset?.insertions ?? 0, deletions: changeset?.deletions ?? 0 },
    project: plan.project,
    applied_at: applyOutcome?.appliedAt ?? null,
    validation: Object.fromEntries(results.map((result) => [result.validation, validationView(result)])),
    sandbox_cleanup: cleanupOf(plan),
    lifecycle: {
      phase,
      state,
      total_duration_ms: elapsedMs,
      total_cost: 0,
      decisions_made: plan.decisionCount,
      child_plans: 0,
    },
    commits: (applyOutcome?.merges ?? []).map(({ name, branch, commit, previous }, index) => ({
      resource: targets[index]?.resource ?? name,
      branch,
      commit,
      previous,
    })),
    task_id: plan.taskId,
  };
}

function cleanupOf({ applyOutcome }: PlanRow): ApplyPlanView['sandbox_cleanup'] {
  if (applyOutcome === null) return null;
  const branches = [...new Set(applyOutcome.merges.map(({ branch }) => branch))].join(', ');
  return { worktree: 'removed', branch: `merged to ${branches}`, checkpoint: 'archived' };
}

function validationView({ passed, mode, durationMs, report }: PlanValidationResultRow): ValidationView {
  const message = typeof report['message'] === 'string' ? report['message'] : '';
  return { status: passed ? 'passed' : 'failed', mode, duration_s: durationMs / 1000, message };
}

export function cancelledView(plan: PlanRow, checkpoints: number): CancelPlanView {
  const { cancellation, isSandboxKept } = plan;
  if (cancellation === null) throw new Error(`Plan ${plan.id} is not cancelled`);
  return {
    ...toPlanHead(plan),
    reason: cancellation.reason,
    cancelled_at: cancellation.at,
    sandbox: { status: sandboxStatus(plan), files_modified: cancellation.filesModified, checkpoints },
    child_plans: { completed: 0, cancelled: 0, artifacts_preserved: 0 },
    recovery: isSandboxKept ? ['plan/execute with resume:true takes the plan up where it was stopped'] : [],
  };
}

function sandboxStatus({ sandboxes, isSandboxKept }: PlanRow): string {
  if (sandboxes.length === 0) return 'none';
  return isSandboxKept ? 'preserved' : 'removed';
}

export function validationFigures(results: readonly PlanValidationResultRow[]): PlanStatusView['validation'] {
  const count = (mode: string, passed: boolean): number =>
    results.filter((result) => result.mode === mode && result.passed === passed).length;
  return {
    required_passed: count('required', true),
    required_failed: count('required', false),
    informational_failed: count('informational', false),
  };
}

const SHOWS_FAILURE: ReadonlySet<string> = new Set(['errored', 'constrained']);

/** Why the plan did not get what it tried, as long as it has not been tried again. */
export function failureShown(plan: PlanRow): PlanFailure | null {
  const stage: Stage = stageOfPlan(plan);
  return SHOWS_FAILURE.has(stateOf(stage)) || stage === 'execute/complete' ? plan.failure : null;
}
