import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import type { CallContext } from '@cleveragents/jsonrpc';
import { ResourceNotFoundError, type Principal } from '@cleveragents/kernel';
import type { Message } from '@cleveragents/protocol';
import { AppendCorrection } from './append-correction.js';
import { readCorrection, type Correction } from './domain/correction.js';
import type { Decision } from './domain/decision-tree.js';
import { mayAppend, mayRevert, wrongState } from './domain/plan-state.js';
import type { CorrectPlanParams } from './dto/correct-plan.params.js';
import type { CorrectPlanView } from './dto/correct-plan.view.js';
import { PlanAccess } from './plan-access.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import { situationOf, stageOfPlan } from './plan-situation.js';
import type { PlanRow } from './plan.entity.js';
import { RevertCorrection } from './revert-correction.js';

/** Changes a decision that a plan has made (T17), or adds guidance to it (T18). */
@Injectable()
export class PlanCorrection {
  constructor(
    private readonly tx: TransactionManager,
    private readonly records: PlanRecordRepository,
    private readonly access: PlanAccess,
    private readonly reverting: RevertCorrection,
    private readonly appending: AppendCorrection,
  ) {}

  /** `messages` asked for it: they become part of the history of the plan's task. */
  async correct(
    params: CorrectPlanParams,
    call: CallContext,
    messages: readonly Message[] = [],
  ): Promise<CorrectPlanView> {
    const correction = readCorrection(params.correction);
    return this.tx.run(async () => {
      const plan = await this.lock(params.plan_id, call.principal);
      const target = await this.targetOf(plan, params.decision_id);
      refuseUnlessPossible(plan, correction);
      if (target.isSuperseded) throw superseded(plan, target);
      const way = correction.mode === 'revert' ? this.reverting : this.appending;
      return way.run({ plan, target, correction, call, messages });
    });
  }

  private async lock(planId: string, principal: Principal): Promise<PlanRow> {
    const plan = await this.access.lock(planId, principal);
    this.access.requireSteering(plan, principal);
    return plan;
  }

  private async targetOf(plan: PlanRow, decisionId: string): Promise<Decision> {
    const decision = (await this.records.decisionsOf(plan.id)).find(({ id }) => id === decisionId);
    if (decision === undefined) throw ResourceNotFoundError.of('Decision', { decision_id: decisionId });
    return decision;
  }
}

function refuseUnlessPossible(plan: PlanRow, { mode, choose, arguments: values, steps }: Correction): void {
  const situation = situationOf(plan);
  const isPossible = mode === 'revert' ? mayRevert(situation) : mayAppend(situation);
  if (!isPossible) {
    const hint = stageOfPlan(plan) === 'apply/applied' ? 'plan/rollback with undo_apply:true' : undefined;
    throw wrongState(situation, `A plan in ${stageOfPlan(plan)} takes no correction of mode ${mode}`, { hint });
  }
  if (mode === 'append' || choose !== null || values !== null || steps !== null) return;
  // A deterministic actor decides the same again, whatever it is told.
  const hint = 'choose, arguments or steps';
  throw wrongState(situation, 'The plan’s actors are deterministic and cannot follow guidance', { hint });
}

function superseded(plan: PlanRow, { supersededBy }: Decision): Error {
  const details = { superseded_by: supersededBy, hint: 'correct the decision that took its place' };
  return wrongState(situationOf(plan), 'The decision is superseded', details);
}
