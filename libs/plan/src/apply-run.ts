import { Injectable } from '@nestjs/common';
import { BusinessRuleViolation, CleverAgentsError, Clock, ResourceNotFoundError } from '@cleveragents/kernel';
import {
  GitWorkspace,
  MergeConflictError,
  keptRange,
  type MergeRequest,
  type MergeResult,
  type Sandbox,
} from '@cleveragents/workspace';
import { PhaseEnd } from './phase-end.js';
import { PlanJournal } from './plan-journal.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import type { PlanRun } from './plan-run.js';
import type { ApplyOutcome, ApplyRequest, PlanRow } from './plan.entity.js';
import { lastOf } from './sandbox-keeper.js';

/** How often a target that moves while it is being merged into is tried again. */
const MERGE_ATTEMPTS = 3;

/** The apply phase: the changeset goes into the targets, into all or none. */
@Injectable()
export class ApplyRun {
  constructor(
    private readonly workspace: GitWorkspace,
    private readonly records: PlanRecordRepository,
    private readonly journal: PlanJournal,
    private readonly phaseEnd: PhaseEnd,
    private readonly clock: Clock,
  ) {}

  async run(run: PlanRun): Promise<void> {
    await this.keepAll(await run.read());
    // From here on the plan can no longer be cancelled; a cancel that came first has taken the plan away.
    const plan = await run.commit((locked) =>
      this.journal.amend(locked, locked.runOrigin, { patch: { isCommitted: true } }),
    );
    try {
      await this.applied(run, plan, await this.merge(plan, run));
    } catch (error) {
      if (!(error instanceof CleverAgentsError)) throw error;
      await this.notApplied(run, error);
    }
  }

  /**
   * The plan's commits, under a name that outlives the sandbox. The recorded checkpoint is what was reviewed: a sandbox
   * that was interrupted on its way there is brought there first.
   */
  private async keepAll({ id, sandboxes }: PlanRow): Promise<void> {
    const checkpoints = await this.records.checkpointsOf(id);
    for (const [target, sandbox] of sandboxes.entries()) {
      const last = lastOf(checkpoints, target);
      if (last !== null) await unlessGone(this.workspace.reset(sandbox, last.commit));
      await unlessGone(this.workspace.keepRef(sandbox));
    }
  }

  private async merge(plan: PlanRow, run: PlanRun): Promise<readonly MergeResult[]> {
    const requests = plan.sandboxes.map((sandbox, target) => mergeRequest(plan, run, sandbox, target));
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.workspace.mergeAll(requests);
      } catch (error) {
        const hasMoved = error instanceof BusinessRuleViolation && error.reason === 'TARGET_MOVED';
        if (!hasMoved || attempt === MERGE_ATTEMPTS) throw error;
      }
    }
  }

  private async applied(run: PlanRun, { sandboxes }: PlanRow, merges: readonly MergeResult[]): Promise<void> {
    for (const sandbox of sandboxes) await this.workspace.removeSandbox(sandbox);
    const applyOutcome: ApplyOutcome = { appliedAt: this.clock.now().toISOString(), merges };
    await run.commit(async (plan) => {
      const patch = { applyOutcome, isSandboxKept: false };
      const applied = await this.phaseEnd.finish(plan, run.snapshot, { patch, text: appliedText(merges) });
      await this.recordApplied(applied, run);
    });
  }

  private async notApplied(run: PlanRun, error: CleverAgentsError): Promise<void> {
    await run.commit((plan) => {
      if (error instanceof MergeConflictError) return this.phaseEnd.fail(plan, error, { trigger: 'constrain' });
      if (isDrift(error)) return this.phaseEnd.fail(plan, error, { trigger: 'constrain' });
      if (error instanceof BusinessRuleViolation) return this.phaseEnd.refuse(plan, run.snapshot, error);
      return this.phaseEnd.fail(plan, error, {});
    });
  }

  private async recordApplied(plan: PlanRow, { snapshot }: PlanRun): Promise<void> {
    const { changeset, phaseStartedAt, runOrigin } = plan;
    const duration_ms = phaseStartedAt === null ? 0 : this.clock.now().getTime() - phaseStartedAt.getTime();
    const details = {
      projects: snapshot.projects.map(({ name }) => name),
      resources: snapshot.targets.map(({ resource }) => resource),
      files_changed: changeset?.files.length ?? 0,
      insertions: changeset?.insertions ?? 0,
      deletions: changeset?.deletions ?? 0,
      duration_ms,
      user: runOrigin.userIdentity,
    };
    await this.journal.record(plan, runOrigin, { event: 'plan_applied', details });
  }
}

/** Gone already = an earlier run was interrupted after this. */
async function unlessGone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ResourceNotFoundError)) throw error;
  }
}

function mergeRequest(plan: PlanRow, run: PlanRun, sandbox: Sandbox, target: number): MergeRequest {
  const request: ApplyRequest = plan.applyRequest ?? defaultRequest(run);
  return {
    name: run.snapshot.targets[target]?.resource ?? sandbox.id,
    sandboxId: sandbox.id,
    range: keptRange(sandbox),
    message: request.message ?? `Apply plan ${plan.name}`,
    author: request.author,
    allowEmpty: request.allowEmpty || plan.sandboxes.length > 1,
    ...(plan.changeset === null ? {} : { expectedChangeset: plan.changeset.targets[target] }),
    ...(request.targetBranch === null ? {} : { targetBranch: request.targetBranch }),
  };
}

function defaultRequest({ snapshot }: PlanRun): ApplyRequest {
  return { message: null, allowEmpty: false, targetBranch: null, author: snapshot.author };
}

/** The target kept moving, so that no attempt could win, or it is no longer the one that the plan began with. */
function isDrift({ reason }: CleverAgentsError): boolean {
  return reason === 'TARGET_MOVED' || reason === 'TARGET_REWRITTEN';
}

function appliedText(merges: readonly MergeResult[]): string {
  return `Applied: ${merges.map(({ name, branch, commit }) => `${name} ${branch} at ${commit}`).join(', ')}`;
}
