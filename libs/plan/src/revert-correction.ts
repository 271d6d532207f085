import { Injectable } from '@nestjs/common';
import { JobQueue, WakeUp } from '@cleveragents/engine';
import { Clock, newUlid } from '@cleveragents/kernel';
import { GitWorkspace, keptRange, type ChangeRange, type RevertedPath } from '@cleveragents/workspace';
import { correctedSnapshot } from './corrected-snapshot.js';
import { correctingDecision } from './correcting-decision.js';
import { historyOf, type CorrectionRequest } from './correction-request.js';
import { scopeOf, type CorrectionScope } from './domain/correction-scope.js';
import { artifactsOf, correctionImpact, downstreamOf, type Decision } from './domain/decision-tree.js';
import { isGateOpen } from './domain/gates.js';
import type { CorrectPlanView } from './dto/correct-plan.view.js';
import { toPlanHead } from './dto/plan-head.view.js';
import { gateQuestion } from './gate-question.js';
import type { PlanCheckpointRow } from './plan-checkpoint.entity.js';
import { PlanJournal, type DecisionDraft } from './plan-journal.js';
import { jobOf, PLAN_QUEUE, PLAN_TOPIC } from './plan-queue.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import { ownOrigin } from './plan-run.js';
import { situationOf } from './plan-situation.js';
import type { PlanSnapshot } from './plan-snapshot.entity.js';
import type { PlanStepRow } from './plan-step.entity.js';
import { PlanWork } from './plan-work.js';
import { PlanRepository } from './plan.repository.js';
import type { PlanRow } from './plan.entity.js';

/** Everything that a correction will do, before any of it is done. */
interface Replan {
  readonly id: string;
  readonly decision: DecisionDraft;
  readonly snapshot: PlanSnapshot;
  readonly scope: CorrectionScope<PlanStepRow, PlanCheckpointRow>;
  readonly decisions: readonly Decision[];
  readonly reverted: readonly RevertedPath[];
}

/** T17: a decision is replaced, what rests on it is superseded, and the plan is decided anew from there. */
@Injectable()
export class RevertCorrection {
  constructor(
    private readonly plans: PlanRepository,
    private readonly records: PlanRecordRepository,
    private readonly work: PlanWork,
    private readonly workspace: GitWorkspace,
    private readonly journal: PlanJournal,
    private readonly queue: JobQueue,
    private readonly wakeUp: WakeUp,
    private readonly clock: Clock,
  ) {}

  async run(request: CorrectionRequest): Promise<CorrectPlanView> {
    const replan = await this.replan(request);
    if (request.correction.isDryRun) return dryRunView(request, replan);
    const plan = await this.revert(request, replan);
    return viewOf(plan, request, replan, historyOf(await this.records.decisionsOf(plan.id)));
  }

  private async replan({ plan, target, correction, call }: CorrectionRequest): Promise<Replan> {
    const work = await this.work.of(plan);
    const scope = scopeOf(work, target);
    const frozen = await this.plans.snapshotOf(plan.id);
    const isWhole = target.type === 'strategy_choice' || target.parentId === null;
    const affected = new Set([target, ...scope.invalidated].map(({ stepId }) => stepId));
    const snapshot = correctedSnapshot(frozen, correction, (step) => isWhole || affected.has(step));
    const id = newUlid();
    const reverted = canReset(plan) ? await this.work.preview(plan, scope.cut.heads) : [];
    const decision = correctingDecision(target, correction, snapshot, call.principal.id);
    return { id, decision, snapshot, scope, decisions: work.decisions, reverted };
  }

  private async revert(request: CorrectionRequest, replan: Replan): Promise<PlanRow> {
    const { plan, call, correction, messages, target } = request;
    const { scope, decision, snapshot } = replan;
    const archived = situationOf(plan).hasSandbox ? await this.archive(plan, replan.id) : [];
    const ids = scope.invalidated.map((invalid) => invalid.id);
    await this.records.supersede(plan.id, ids, decision.id);
    await this.work.forget(plan, { ...scope.cut, dropped: { ...scope.cut.dropped, decisions: [] } }, null);
    await this.plans.updateSnapshot(plan.id, snapshot);
    const isOpen = isGateOpen(snapshot.profile.spec, {}, 'strategize');
    const awaiting = isOpen ? null : gateQuestion('strategize', snapshot, this.clock.now());
    const reverted = await this.journal.move(plan, 'revert', call.origin, {
      patch: { ...ANEW, attempt: plan.attempt + 1, awaiting, runOrigin: ownOrigin(call.origin) },
      decisions: [{ ...decision, correction: { id: replan.id, mode: correction.mode, archived } }],
      messages,
      text: `Corrected: ${decision.chosen}`,
    });
    const details = { correction_id: replan.id, decision_id: target.id, mode: 'revert', guidance: correction.guidance };
    await this.journal.record(reverted, call.origin, { event: 'correction_applied', details });
    if (isOpen) await this.queue.send(PLAN_QUEUE, jobOf(reverted));
    if (canReset(plan)) await this.work.reset(plan, scope.cut.heads);
    else await this.wakeUp.signal(PLAN_TOPIC, plan.id);
    return reverted;
  }

  /** Keeps what the sandboxes hold now under a name of the correction's own, so that it can be compared later. */
  private async archive(plan: PlanRow, correctionId: string): Promise<ChangeRange[]> {
    const named = plan.sandboxes.map((sandbox, target) => ({ ...sandbox, id: `${correctionId}-${target + 1}` }));
    for (const sandbox of named) await this.workspace.keepRef(sandbox);
    return named.map(keptRange);
  }
}

/** What was done for the former attempt, and what was agreed about it. */
const ANEW = {
  strategy: null,
  changeset: null,
  applyRequest: null,
  failure: null,
  isRecoverable: true,
  gateOverrides: {},
} as const;

/** A step that is running still has its sandbox; whoever works in it next brings it to its checkpoint. */
function canReset(plan: PlanRow): boolean {
  return situationOf(plan).hasSandbox && plan.state !== 'processing';
}

function viewOf(
  plan: PlanRow,
  { target, plan: before, correction }: CorrectionRequest,
  { id, decision, scope, decisions, reverted }: Replan,
  history: CorrectPlanView['history'],
): CorrectPlanView {
  const downstream = downstreamOf(decisions, target.id);
  return {
    ...toPlanHead(plan),
    correction_id: id,
    correction: {
      mode: correction.mode,
      impact: correctionImpact(downstream, false),
      new_decision: decision.id,
      corrects: target.id,
      attempt: before.attempt + 1,
    },
    affected_subtree: {
      decisions_invalidated: scope.invalidated.length,
      child_plans_rolled_back: 0,
      artifacts_archived: artifactsOf(scope.invalidated).length,
      unaffected_decisions: scope.unaffected.length,
    },
    sandbox_rollback: sandboxView(before, scope, reverted),
    recompute: { queued: plan.awaiting === null, eta: null },
    history,
    task_id: plan.taskId,
    warnings: [],
  };
}

function dryRunView(request: CorrectionRequest, replan: Replan): CorrectPlanView {
  const view = viewOf(request.plan, request, replan, historyOf(replan.decisions));
  return {
    ...view,
    correction: { ...view.correction, new_decision: null },
    recompute: { queued: false, eta: null },
    dry_run: true,
    estimated_recompute_time_seconds: null,
    decisions_to_invalidate: replan.scope.invalidated.map(({ id }) => id),
    excluded_decisions: replan.scope.unaffected.map(({ id }) => id),
  };
}

function sandboxView(
  plan: PlanRow,
  { cut }: CorrectionScope<PlanStepRow, PlanCheckpointRow>,
  reverted: readonly RevertedPath[],
): CorrectPlanView['sandbox_rollback'] {
  if (!situationOf(plan).hasSandbox) return { checkpoint: null, files_reverted: 0, status: 'none' };
  const [first] = cut.dropped.steps;
  const head = cut.heads.find(({ target }) => target === (first?.target ?? 0));
  const status = canReset(plan) ? 'reset' : 'pending';
  return { checkpoint: head?.id ?? null, files_reverted: reverted.length, status };
}
