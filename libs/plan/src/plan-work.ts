import { Injectable } from '@nestjs/common';
import { ResourceNotFoundError } from '@cleveragents/kernel';
import { GitWorkspace, type RevertedPath } from '@cleveragents/workspace';
import { wrongState } from './domain/plan-state.js';
import type { Work, WorkCheckpoint, WorkCut } from './domain/work-cut.js';
import type { PlanCheckpointRow } from './plan-checkpoint.entity.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import { situationOf } from './plan-situation.js';
import type { PlanStepRow } from './plan-step.entity.js';
import type { PlanRow } from './plan.entity.js';

export type PlanCut = WorkCut<PlanStepRow, PlanCheckpointRow>;

/** Takes back what a plan did after some moment. Every method wants the plan locked by the open transaction. */
@Injectable()
export class PlanWork {
  constructor(
    private readonly workspace: GitWorkspace,
    private readonly records: PlanRecordRepository,
  ) {}

  async of({ id }: PlanRow): Promise<Work<PlanStepRow, PlanCheckpointRow>> {
    return {
      steps: await this.records.stepsOf(id),
      checkpoints: await this.records.checkpointsOf(id),
      decisions: await this.records.decisionsOf(id),
    };
  }

  /** What bringing the sandboxes to these checkpoints would change. */
  async preview(plan: PlanRow, heads: readonly WorkCheckpoint[]): Promise<RevertedPath[]> {
    const changed = heads.map(({ target, commit }) => this.previewOne(plan, target, commit));
    return (await Promise.all(changed)).flat();
  }

  /** `by` is the decision that takes the place of the dropped ones, if there is one. */
  async forget(plan: PlanRow, { kept, dropped }: PlanCut, by: string | null): Promise<void> {
    const ids = dropped.decisions.map((decision) => decision.id);
    await this.records.supersede(plan.id, ids, by);
    await this.records.replaceSteps(plan.id, [...kept.steps, ...dropped.steps.map(reopened)]);
    await this.records.removeCheckpoints(
      plan.id,
      dropped.checkpoints.map(({ id }) => id),
    );
    await this.records.clearValidations(plan.id);
  }

  /**
   * Brings the sandboxes to these checkpoints, as the last act before the transaction commits. Should that fail, nothing
   * is lost: the records decide, and whoever works in a sandbox next brings it to its recorded checkpoint first.
   */
  async reset({ sandboxes }: PlanRow, heads: readonly WorkCheckpoint[]): Promise<void> {
    for (const { target, commit } of heads) {
      const sandbox = sandboxes[target];
      if (sandbox !== undefined) await this.workspace.reset(sandbox, commit);
    }
  }

  private async previewOne(plan: PlanRow, target: number, commit: string): Promise<readonly RevertedPath[]> {
    const sandbox = plan.sandboxes[target];
    if (sandbox === undefined) return [];
    try {
      return await this.workspace.previewReset(sandbox, commit);
    } catch (error) {
      if (!(error instanceof ResourceNotFoundError)) throw error;
      throw wrongState(situationOf(plan), 'The sandbox is not there any more', { hint: 'plan/execute' });
    }
  }
}

function reopened(step: PlanStepRow): PlanStepRow {
  return { ...step, status: 'queued', isApproved: false, output: null, endedAt: null };
}
