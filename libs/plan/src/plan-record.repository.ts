import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import type { Decision } from './domain/decision-tree.js';
import { PlanCheckpointRow } from './plan-checkpoint.entity.js';
import { PlanDecisionRow } from './plan-decision.entity.js';
import { PlanStepRow, type StepStatus } from './plan-step.entity.js';
import { PlanValidationResultRow } from './plan-validation-result.entity.js';

export interface StepKey {
  readonly planId: string;
  readonly attempt: number;
  readonly target: number;
  readonly stepId: string;
}

export type StepPatch = Partial<Pick<PlanStepRow, 'status' | 'isApproved' | 'output' | 'endedAt'>>;

/** What a plan decided, did and found, in order. */
@Injectable()
export class PlanRecordRepository {
  constructor(private readonly tx: TransactionManager) {}

  async addDecisions(decisions: readonly Decision[]): Promise<void> {
    if (decisions.length > 0) await this.tx.manager.insert(PlanDecisionRow, decisions.map(toRow));
  }

  async decisionsOf(planId: string): Promise<Decision[]> {
    const rows = await this.tx.manager.find(PlanDecisionRow, { where: { planId }, order: { sequence: 'ASC' } });
    return rows.map(fromRow);
  }

  /** Null also for a decision of another plan. */
  async findDecision(planId: string, id: string): Promise<Decision | null> {
    const row = await this.tx.manager.findOneBy(PlanDecisionRow, { planId, id });
    return row === null ? null : fromRow(row);
  }

  async addSteps(steps: readonly PlanStepRow[]): Promise<void> {
    if (steps.length > 0) await this.tx.manager.insert(PlanStepRow, [...steps]);
  }

  async updateStep(key: StepKey, patch: StepPatch): Promise<void> {
    await this.tx.manager.update(PlanStepRow, { ...key }, patch);
  }

  /** In order of running. */
  async stepsOf(planId: string, attempt: number): Promise<PlanStepRow[]> {
    return this.tx.manager.find(PlanStepRow, { where: { planId, attempt }, order: { ordinal: 'ASC' } });
  }

  /** Steps that a lost worker left open begin anew. */
  async reopenSteps(planId: string, attempt: number): Promise<void> {
    const status: StepStatus = 'running';
    await this.tx.manager.update(PlanStepRow, { planId, attempt, status }, { status: 'queued' });
    await this.tx.manager.update(PlanStepRow, { planId, attempt, status: 'failed' }, { status: 'queued', output: null });
  }

  async addCheckpoint(checkpoint: PlanCheckpointRow): Promise<void> {
    await this.tx.manager.insert(PlanCheckpointRow, checkpoint);
  }

  /** Oldest first. */
  async checkpointsOf(planId: string, attempt: number): Promise<PlanCheckpointRow[]> {
    return this.tx.manager.find(PlanCheckpointRow, { where: { planId, attempt }, order: { ordinal: 'ASC' } });
  }

  async saveValidation(result: PlanValidationResultRow): Promise<void> {
    await this.tx.manager.upsert(PlanValidationResultRow, result, ['planId', 'attempt', 'ordinal']);
  }

  async validationsOf(planId: string, attempt: number): Promise<PlanValidationResultRow[]> {
    return this.tx.manager.find(PlanValidationResultRow, { where: { planId, attempt }, order: { ordinal: 'ASC' } });
  }
}

function toRow(decision: Decision): PlanDecisionRow {
  const { question, chosen, alternatives, confidence, rationale, ...others } = decision;
  const { contextSnapshot, influences, checkpointBefore, artifacts, ...columns } = others;
  const content = { question, chosen, alternatives, confidence, rationale };
  return { ...columns, content: { ...content, contextSnapshot, influences, checkpointBefore, artifacts } };
}

function fromRow({ content, ...columns }: PlanDecisionRow): Decision {
  return { ...columns, ...content };
}
