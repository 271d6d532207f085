import { Injectable } from '@nestjs/common';
import { JobQueue } from '@cleveragents/engine';
import { Clock, newUlid } from '@cleveragents/kernel';
import { summaryOf } from './correcting-decision.js';
import { historyOf, type CorrectionRequest } from './correction-request.js';
import { artifactsOf } from './domain/decision-tree.js';
import { isGateOpen } from './domain/gates.js';
import type { CorrectPlanView } from './dto/correct-plan.view.js';
import { toPlanHead } from './dto/plan-head.view.js';
import { gateQuestion } from './gate-question.js';
import { PlanJournal, type DecisionDraft, type PlanChange } from './plan-journal.js';
import { jobOf, PLAN_QUEUE } from './plan-queue.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import { ownOrigin } from './plan-run.js';
import { stageOfPlan } from './plan-situation.js';
import { PlanRepository } from './plan.repository.js';
import type { PlanRow } from './plan.entity.js';

/** T18: guidance is hung under a decision, and nothing is superseded; what was executed already is executed further. */
@Injectable()
export class AppendCorrection {
  constructor(
    private readonly plans: PlanRepository,
    private readonly records: PlanRecordRepository,
    private readonly journal: PlanJournal,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
  ) {}

  async run(request: CorrectionRequest): Promise<CorrectPlanView> {
    const { plan, call, correction, target } = request;
    const id = newUlid();
    const decision = guidanceDecision(request, id);
    if (correction.isDryRun) return this.dryRunView(request, id);
    const appended = await this.append(request, decision);
    const details = { correction_id: id, decision_id: target.id, mode: 'append', guidance: correction.guidance };
    await this.journal.record(appended, call.origin, { event: 'correction_applied', details });
    return this.viewOf(appended, request, { id, decisionId: decision.id, hasMoreWork: hasMoreWork(plan) });
  }

  private async append(request: CorrectionRequest, decision: DecisionDraft): Promise<PlanRow> {
    const { plan, call, messages } = request;
    const change: PlanChange = { decisions: [decision], messages, text: `Added: ${decision.chosen}` };
    if (!hasMoreWork(plan)) {
      return this.journal.amend(plan, call.origin, { ...change, isAnnounced: plan.awaiting !== null });
    }
    const snapshot = await this.plans.snapshotOf(plan.id);
    const isOpen = isGateOpen(snapshot.profile.spec, {}, 'execute');
    const awaiting = isOpen ? null : gateQuestion('execute', snapshot, this.clock.now());
    const patch = { awaiting, changeset: null, applyRequest: null, failure: null, runOrigin: ownOrigin(call.origin) };
    const extended = await this.journal.move(plan, 'extend', call.origin, { ...change, patch });
    if (isOpen) await this.queue.send(PLAN_QUEUE, jobOf(extended));
    return extended;
  }

  private async dryRunView(request: CorrectionRequest, id: string): Promise<CorrectPlanView> {
    const { plan } = request;
    const current = (await this.records.decisionsOf(plan.id)).filter(({ isSuperseded }) => !isSuperseded);
    const view = await this.viewOf(plan, request, { id, decisionId: null, hasMoreWork: hasMoreWork(plan) });
    return {
      ...view,
      dry_run: true,
      estimated_recompute_time_seconds: null,
      decisions_to_invalidate: [],
      excluded_decisions: current.map((decision) => decision.id),
    };
  }

  private async viewOf(
    plan: PlanRow,
    { target, correction }: CorrectionRequest,
    made: { readonly id: string; readonly decisionId: string | null; readonly hasMoreWork: boolean },
  ): Promise<CorrectPlanView> {
    const decisions = await this.records.decisionsOf(plan.id);
    const kept = artifactsOf(decisions.filter(({ isSuperseded }) => !isSuperseded));
    const { mode } = correction;
    return {
      ...toPlanHead(plan),
      correction_id: made.id,
      correction: { mode, impact: 'low', new_decision: made.decisionId, corrects: target.id, attempt: plan.attempt },
      append_detail: {
        original_decision_preserved: true,
        existing_artifacts_kept: kept.length,
        additional_work: made.hasMoreWork,
        note: summaryOf(correction),
      },
      queued: { new_child: made.decisionId, eta: null },
      history: historyOf(decisions),
      task_id: plan.taskId,
      warnings: ['The plan’s actors are deterministic: guidance is kept and shown, not followed'],
    };
  }
}

function guidanceDecision({ target, correction, call }: CorrectionRequest, id: string): DecisionDraft {
  return {
    id: newUlid(),
    parentId: target.id,
    type: 'user_intervention',
    question: 'What is to be added?',
    chosen: summaryOf(correction),
    rationale: 'Added by a correction',
    actor: call.principal.id,
    correction: { id, mode: 'append', archived: [] },
  };
}

/** Execute was over: it goes on for what was added. */
function hasMoreWork(plan: PlanRow): boolean {
  return stageOfPlan(plan) === 'execute/complete';
}
