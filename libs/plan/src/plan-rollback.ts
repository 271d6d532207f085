import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import type { CallContext } from '@cleveragents/jsonrpc';
import { Clock, ValidationError } from '@cleveragents/kernel';
import type { RevertedPath } from '@cleveragents/workspace';
import { namedCheckpoint } from './domain/checkpoint-name.js';
import { isAllowed, stateOf, wrongState } from './domain/plan-state.js';
import { cutAfter, ordinalOf, type Work } from './domain/work-cut.js';
import type { RollbackPlanParams } from './dto/rollback-plan.params.js';
import { toReverted, toRollbackView, type RollbackPlanView } from './dto/rollback-plan.view.js';
import { gateQuestion } from './gate-question.js';
import { PlanAccess } from './plan-access.js';
import type { PlanCheckpointRow } from './plan-checkpoint.entity.js';
import { PlanJournal } from './plan-journal.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import { situationOf, stageOfPlan } from './plan-situation.js';
import type { PlanStepRow } from './plan-step.entity.js';
import { ownOrigin } from './plan-run.js';
import { PlanUndo } from './plan-undo.js';
import { PlanWork, type PlanCut } from './plan-work.js';
import { PlanRepository } from './plan.repository.js';
import type { PlanRow } from './plan.entity.js';

/** A checkpoint, and all that going back to it means. */
interface WayBack {
  readonly checkpoint: PlanCheckpointRow;
  readonly cut: PlanCut;
  readonly reverted: readonly RevertedPath[];
}

type DoneWork = Work<PlanStepRow, PlanCheckpointRow>;

/** Takes a plan back to one of its checkpoints (T19); an applied one is undone instead. */
@Injectable()
export class PlanRollback {
  constructor(
    private readonly tx: TransactionManager,
    private readonly plans: PlanRepository,
    private readonly records: PlanRecordRepository,
    private readonly access: PlanAccess,
    private readonly work: PlanWork,
    private readonly undo: PlanUndo,
    private readonly journal: PlanJournal,
    private readonly clock: Clock,
  ) {}

  async run(params: RollbackPlanParams, call: CallContext): Promise<RollbackPlanView> {
    refuseContradiction(params);
    if (params.undo_apply === true) return this.undo.run(params, call);
    return this.tx.run(async () => {
      const plan = await this.access.lock(params.plan_id, call.principal);
      this.access.requireSteering(plan, call.principal);
      if (params.list === true) return toRollbackView(plan, await this.records.checkpointsOf(plan.id));
      refuseUnlessPossible(plan);
      const way = await this.wayBack(plan, params.checkpoint_id);
      if (params.dry_run === true) return { ...viewOf(plan, way), dry_run: true };
      return viewOf(await this.goBack(plan, way, call), way);
    });
  }

  private async wayBack(plan: PlanRow, name: string | undefined): Promise<WayBack> {
    const work = await this.work.of(plan);
    if (name !== undefined) return this.wayTo(plan, work, namedCheckpoint(work.checkpoints, name));
    for (const checkpoint of work.checkpoints.toReversed()) {
      const way = await this.wayTo(plan, work, checkpoint);
      if (way.reverted.length > 0) return way;
    }
    throw wrongState(
      situationOf(plan),
      'The sandbox is as it was at its first checkpoint: there is nothing to take back',
    );
  }

  private async wayTo(plan: PlanRow, work: DoneWork, checkpoint: PlanCheckpointRow): Promise<WayBack> {
    const cut = cutAfter(work, ordinalOf(work, checkpoint));
    return { checkpoint, cut, reverted: await this.work.preview(plan, cut.heads) };
  }

  private async goBack(plan: PlanRow, way: WayBack, call: CallContext): Promise<PlanRow> {
    await this.work.forget(plan, way.cut, null);
    const awaiting = gateQuestion('execute', await this.plans.snapshotOf(plan.id), this.clock.now());
    const anew = { changeset: null, applyRequest: null, failure: null, isRecoverable: true };
    const back = await this.journal.move(plan, 'rollBack', call.origin, {
      patch: { ...anew, awaiting, runOrigin: ownOrigin(call.origin) },
      text: `Rolled back to checkpoint ${way.checkpoint.id} (${way.checkpoint.reason})`,
    });
    await this.journal.record(back, call.origin, { event: 'plan_rolled_back', details: factsOf(way) });
    await this.work.reset(plan, way.cut.heads);
    return back;
  }
}

function refuseContradiction({ checkpoint_id, list, undo_apply }: RollbackPlanParams): void {
  const wishes = { checkpoint_id: checkpoint_id !== undefined, list, undo_apply };
  const [, second] = Object.entries(wishes).flatMap(([name, isWished]) => (isWished === true ? [name] : []));
  if (second !== undefined) throw ValidationError.of(second, 'stands alone: checkpoint_id, list or undo_apply');
}

function refuseUnlessPossible(plan: PlanRow): void {
  const situation = situationOf(plan);
  const stage = stageOfPlan(plan);
  if (stage === 'apply/applied') {
    throw wrongState(situation, 'The plan is applied: only the apply as a whole can be undone', { hint: 'undo_apply' });
  }
  if (isAllowed('plan/rollback', situation)) return;
  const hint = stateOf(stage) === 'cancelled' ? 'resume:true' : undefined;
  throw wrongState(situation, `A plan in ${stage} has nothing that can be rolled back`, { hint });
}

function viewOf(plan: PlanRow, { checkpoint, cut, reverted }: WayBack): RollbackPlanView {
  const { id, reason: label } = checkpoint;
  return {
    ...toRollbackView(plan, cut.kept.checkpoints),
    rollback_summary: { plan: plan.id, checkpoint: id, label, files_reverted: reverted.length },
    changes_reverted: toReverted(reverted),
    impact: {
      child_plans_invalidated: 0,
      sandbox: 'reset',
      decisions_after_cp: cut.dropped.decisions.length,
      tool_calls_after_cp: cut.dropped.decisions.filter(({ type }) => type === 'tool_invocation').length,
    },
  };
}

function factsOf({ checkpoint, cut, reverted }: WayBack) {
  return {
    checkpoint: checkpoint.id,
    files: reverted.map(({ path }) => path),
    decisions_discarded: cut.dropped.decisions.length,
  };
}
