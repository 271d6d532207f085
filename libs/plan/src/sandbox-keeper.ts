import { Injectable } from '@nestjs/common';
import { Clock, newUlid } from '@cleveragents/kernel';
import type { ActorStep } from '@cleveragents/registry';
import { GitWorkspace, type Sandbox } from '@cleveragents/workspace';
import type { PlanCheckpointRow } from './plan-checkpoint.entity.js';
import { PlanJournal } from './plan-journal.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import type { PlanRun } from './plan-run.js';
import type { PlanStepRow } from './plan-step.entity.js';
import type { PlanRow } from './plan.entity.js';

/** Makes a plan's sandboxes, and brings them back to their last checkpoint when work begins again. */
@Injectable()
export class SandboxKeeper {
  constructor(
    private readonly workspace: GitWorkspace,
    private readonly records: PlanRecordRepository,
    private readonly journal: PlanJournal,
    private readonly clock: Clock,
  ) {}

  async prepare(run: PlanRun, steps: readonly ActorStep[]): Promise<readonly Sandbox[]> {
    const plan = await run.read();
    if (plan.sandboxes.length > 0 && !plan.isRebaseDue) return this.restore(run, plan, steps);
    for (const sandbox of plan.sandboxes) await this.workspace.removeSandbox(sandbox);
    const sandboxes = await this.open(run);
    await run.commit((locked) => this.record(locked, sandboxes, steps));
    return sandboxes;
  }

  private async restore(
    run: PlanRun,
    { id, sandboxes }: PlanRow,
    steps: readonly ActorStep[],
  ): Promise<readonly Sandbox[]> {
    const checkpoints = await this.records.checkpointsOf(id);
    const reopened: Sandbox[] = [];
    for (const [target, sandbox] of sandboxes.entries()) {
      const { commit } = lastOf(checkpoints, target) ?? { commit: sandbox.baseCommit };
      reopened.push(await this.workspace.reopenSandbox(sandbox, commit));
    }
    await run.commit(async (plan) => {
      await this.resumeSteps(plan, steps);
      await this.journal.amend(plan, plan.runOrigin, { patch: { sandboxes: reopened } });
    });
    return reopened;
  }

  /** What has a lasting result stays; what failed, what a lost worker left open and what was planned since is to be run. */
  private async resumeSteps(plan: PlanRow, steps: readonly ActorStep[]): Promise<void> {
    const known = await this.records.stepsOf(plan.id);
    const rows = rowsOf(plan, plan.sandboxes.length, steps).map((row): PlanStepRow => {
      const former = known.find(({ target, stepId }) => target === row.target && stepId === row.stepId);
      if (former === undefined) return row;
      return { ...former, ordinal: row.ordinal, status: former.endedAt === null ? 'queued' : former.status };
    });
    await this.records.replaceSteps(plan.id, rows);
  }

  private async open({ planId, snapshot }: PlanRun): Promise<Sandbox[]> {
    const sandboxes: Sandbox[] = [];
    for (const [target, { path, branch }] of snapshot.targets.entries()) {
      const sandboxId = target === 0 ? planId : `${planId}-${target + 1}`;
      sandboxes.push(await this.workspace.openSandbox({ sandboxId, repository: path, branch }));
    }
    return sandboxes;
  }

  /** Checkpoint 0 of each target is the state that its sandbox began with. */
  private async record(plan: PlanRow, sandboxes: Sandbox[], steps: readonly ActorStep[]): Promise<void> {
    await this.records.clearWork(plan.id);
    for (const [target, sandbox] of sandboxes.entries()) {
      await this.records.addCheckpoint({
        id: newCheckpointId(),
        planId: plan.id,
        ordinal: target,
        target,
        phase: 'execute',
        stepId: null,
        tool: null,
        reason: 'sandbox created',
        commit: sandbox.baseCommit,
        createdAt: this.clock.now(),
      });
    }
    await this.records.addSteps(rowsOf(plan, sandboxes.length, steps));
    await this.journal.amend(plan, plan.runOrigin, { patch: { sandboxes, isRebaseDue: false } });
  }
}

export function newCheckpointId(): string {
  return `cp_${newUlid()}`;
}

export function lastOf(checkpoints: readonly PlanCheckpointRow[], target: number): PlanCheckpointRow | null {
  return checkpoints.findLast((checkpoint) => checkpoint.target === target) ?? null;
}

function rowsOf(plan: PlanRow, targets: number, steps: readonly ActorStep[]): PlanStepRow[] {
  return Array.from({ length: targets }, (_, target) =>
    steps.map((step, at) => rowOf(plan, target, step, target * steps.length + at)),
  ).flat();
}

function rowOf({ id }: PlanRow, target: number, step: ActorStep, ordinal: number): PlanStepRow {
  return {
    planId: id,
    target,
    stepId: step.id,
    ordinal,
    status: 'queued',
    tool: step.tool,
    isApproved: false,
    output: null,
    endedAt: null,
  };
}
