import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import { In } from 'typeorm';
import type { Decision } from './domain/decision-tree.js';
import { PlanCheckpointRow } from './plan-checkpoint.entity.js';
import { PlanDecisionRow } from './plan-decision.entity.js';
import { PlanStepRow } from './plan-step.entity.js';
import { PlanValidationResultRow } from './plan-validation-result.entity.js';

export interface StepKey {
  readonly planId: string;
  readonly target: number;
  readonly stepId: string;
}

export type StepPatch = Partial<Pick<PlanStepRow, 'status' | 'isApproved' | 'output' | 'endedAt'>>;

/** What a plan decided, did and found, in order. */
@Injectable()
export class PlanRecordRepository {
  constructor(private readonly tx: TransactionManager) {}

  async addDecisions(decisions: readonly Decision[]): Promise<void> {
    if (decisions.length > 0) await this.tx.manager.insert<object>(PlanDecisionRow, decisions.map(toRow));
  }

  async decisionsOf(planId: string): Promise<Decision[]> {
    const rows = await this.tx.manager.find(PlanDecisionRow, { where: { planId }, order: { sequence: 'ASC' } });
    return rows.map(fromRow);
  }

  /** What tools did in sandboxes that are gone no longer counts. */
  async supersedeToolCalls(planId: string): Promise<void> {
    const criteria = { planId, type: In(['tool_invocation', 'error_recovery']), isSuperseded: false };
    await this.tx.manager.update<object>(PlanDecisionRow, criteria, { isSuperseded: true });
  }

  /** `by` is the decision that takes their place, if there is one. */
  async supersede(planId: string, ids: readonly string[], by: string | null): Promise<void> {
    if (ids.length === 0) return;
    const criteria = { planId, id: In([...ids]) };
    await this.tx.manager.update<object>(PlanDecisionRow, criteria, { isSuperseded: true, supersededBy: by });
  }

  async addSteps(steps: readonly PlanStepRow[]): Promise<void> {
    if (steps.length > 0) await this.tx.manager.insert<object>(PlanStepRow, [...steps]);
  }

  async updateStep(key: StepKey, patch: StepPatch): Promise<void> {
    await this.tx.manager.update<object>(PlanStepRow, { ...key }, patch);
  }

  /** Planning and rolling back change which steps there are and what became of them. */
  async replaceSteps(planId: string, steps: readonly PlanStepRow[]): Promise<void> {
    await this.tx.manager.delete(PlanStepRow, { planId });
    await this.addSteps(steps);
  }

  /** In order of running. */
  async stepsOf(planId: string): Promise<PlanStepRow[]> {
    return this.tx.manager.find(PlanStepRow, { where: { planId }, order: { ordinal: 'ASC' } });
  }

  /** What was done in sandboxes that are gone; the decisions stay. */
  async clearWork(planId: string): Promise<void> {
    for (const row of [PlanStepRow, PlanCheckpointRow, PlanValidationResultRow]) {
      await this.tx.manager.delete(row, { planId });
    }
  }

  async addCheckpoint(checkpoint: PlanCheckpointRow): Promise<void> {
    await this.tx.manager.insert<object>(PlanCheckpointRow, checkpoint);
  }

  /** Oldest first. */
  async checkpointsOf(planId: string): Promise<PlanCheckpointRow[]> {
    return this.tx.manager.find(PlanCheckpointRow, { where: { planId }, order: { ordinal: 'ASC' } });
  }

  async removeCheckpoints(planId: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.tx.manager.delete(PlanCheckpointRow, { planId, id: In([...ids]) });
  }

  /** Their answers were about files that are no longer so. */
  async clearValidations(planId: string): Promise<void> {
    await this.tx.manager.delete(PlanValidationResultRow, { planId });
  }

  async saveValidation(result: PlanValidationResultRow): Promise<void> {
    await this.tx.manager.upsert<object>(PlanValidationResultRow, result, ['planId', 'ordinal']);
  }

  async validationsOf(planId: string): Promise<PlanValidationResultRow[]> {
    return this.tx.manager.find(PlanValidationResultRow, { where: { planId }, order: { ordinal: 'ASC' } });
  }
}

function toRow(decision: Decision): PlanDecisionRow {
  const { question, chosen, alternatives, confidence, rationale, ...others } = decision;
  const { contextSnapshot, influences, checkpointBefore, artifacts, stepId, correction, ...columns } = others;
  const content = { question, chosen, alternatives, confidence, rationale };
  const work = { influences, checkpointBefore, artifacts, stepId, correction };
  return { ...columns, content: { ...content, contextSnapshot, ...work } };
}

/** What decisions of earlier versions do not have. */
const NOT_ALWAYS_KEPT = { stepId: null, correction: null };

function fromRow({ content, ...columns }: PlanDecisionRow): Decision {
  return { ...NOT_ALWAYS_KEPT, ...columns, ...content };
}
