import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import type { CallContext } from '@cleveragents/jsonrpc';
import { BusinessRuleViolation, Clock, PlanError } from '@cleveragents/kernel';
import type { Message } from '@cleveragents/protocol';
import {
  GitWorkspace,
  type ChangedFile,
  type MergeResult,
  type RevertedPath,
  type RevertRequest,
} from '@cleveragents/workspace';
import { ChangesetReader } from './changeset-reader.js';
import { commitIdentityOf } from './commit-identity.js';
import { wrongState } from './domain/plan-state.js';
import type { RollbackPlanParams } from './dto/rollback-plan.params.js';
import { toReverted, toRollbackView, type RollbackPlanView } from './dto/rollback-plan.view.js';
import { PlanAccess } from './plan-access.js';
import { PlanJournal } from './plan-journal.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import { ownOrigin } from './plan-run.js';
import { situationOf } from './plan-situation.js';
import type { ApplyOutcome, PlanRow } from './plan.entity.js';

/** How often a target that moves meanwhile is tried again. */
const REVERT_ATTEMPTS = 3;

export type UndoRequest = Pick<RollbackPlanParams, 'plan_id' | 'dry_run'>;

/** Takes an applied plan back (T23): by one further commit on each target, never by changing history. */
@Injectable()
export class PlanUndo {
  constructor(
    private readonly tx: TransactionManager,
    private readonly workspace: GitWorkspace,
    private readonly records: PlanRecordRepository,
    private readonly changesets: ChangesetReader,
    private readonly access: PlanAccess,
    private readonly journal: PlanJournal,
    private readonly clock: Clock,
  ) {}

  /** `messages` asked for it: the first entries of the history of the task that tells of it. */
  async run(params: UndoRequest, call: CallContext, messages: readonly Message[] = []): Promise<RollbackPlanView> {
    return this.tx.run(async () => {
      const plan = await this.access.lock(params.plan_id, call.principal);
      this.access.requireRole(plan, call.principal, 'maintainer');
      const outcome = appliedOutcome(plan);
      const reverted = await this.revertedFiles(plan);
      if (params.dry_run === true) return { ...(await this.viewOf(plan, reverted)), dry_run: true };
      const undone = await this.undo(plan, outcome, call, messages);
      return this.viewOf(undone, reverted);
    });
  }

  /**
   * The targets move before the record of it commits: should the record be lost, the next attempt finds the targets
   * undone, leaves them alone and records that.
   */
  private async undo(
    plan: PlanRow,
    outcome: ApplyOutcome,
    call: CallContext,
    messages: readonly Message[],
  ): Promise<PlanRow> {
    const commits = await this.revert(plan, requestsOf(plan, outcome, call));
    const reversal = { at: this.clock.now().toISOString(), by: call.principal.id, commits };
    const undone = await this.journal.move(plan, 'undo', call.origin, {
      patch: { applyOutcome: { ...outcome, reversal }, runOrigin: ownOrigin(call.origin) },
      isNewRun: true,
      messages,
      text: undoneText(commits),
    });
    const details = { project: plan.project, user: call.principal.id, revert_commits: commits.map(asFact) };
    await this.journal.record(undone, call.origin, { event: 'plan_reverted', details });
    return undone;
  }

  private async revert(plan: PlanRow, requests: readonly RevertRequest[]): Promise<readonly MergeResult[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.workspace.revertAll(requests);
      } catch (error) {
        const hasMoved = error instanceof BusinessRuleViolation && error.reason === 'TARGET_MOVED';
        if (hasMoved && attempt < REVERT_ATTEMPTS) continue;
        throw error instanceof PlanError ? asFailure(plan, error) : error;
      }
    }
  }

  private async revertedFiles(plan: PlanRow): Promise<RevertedPath[]> {
    const changes = await this.changesets.read(plan, { maxBytes: 1 });
    return changes.flatMap(({ files }) => files.flatMap(takenBack));
  }

  private async viewOf(plan: PlanRow, reverted: readonly RevertedPath[]): Promise<RollbackPlanView> {
    const reversal = plan.applyOutcome?.reversal;
    return {
      ...toRollbackView(plan, await this.records.checkpointsOf(plan.id)),
      rollback_summary: { plan: plan.id, checkpoint: null, label: 'before apply', files_reverted: reverted.length },
      changes_reverted: toReverted(reverted),
      impact: { child_plans_invalidated: 0, sandbox: 'removed', decisions_after_cp: 0, tool_calls_after_cp: 0 },
      ...(reversal === undefined
        ? {}
        : {
            reverted_at: reversal.at,
            revert_commit: reversal.commits[0]?.commit ?? null,
            commits: reversal.commits.map(asFact),
          }),
    };
  }
}

function appliedOutcome(plan: PlanRow): ApplyOutcome {
  const { applyOutcome } = plan;
  if (applyOutcome === null) throw wrongState(situationOf(plan), 'Only an applied plan can be undone');
  const { reversal } = applyOutcome;
  if (reversal === undefined) return applyOutcome;
  throw wrongState(situationOf(plan), 'The plan has been undone already', { reverted_at: reversal.at });
}

/** Where nothing was merged there is nothing to revert. */
function requestsOf(plan: PlanRow, { merges }: ApplyOutcome, { principal }: CallContext): RevertRequest[] {
  const author = commitIdentityOf(principal);
  const message = `Undo plan ${plan.name}`;
  return plan.sandboxes.flatMap(({ id: sandboxId, repository }, target) => {
    const merge = merges[target];
    if (merge === undefined || merge.commit === merge.previous) return [];
    const { name, branch, commit: mergeCommit } = merge;
    return [{ name, sandboxId, repository, branch, mergeCommit, message, author }];
  });
}

function takenBack({ path, oldPath, status }: ChangedFile): RevertedPath[] {
  if (status === 'renamed' && oldPath !== null) {
    return [
      { path: oldPath, action: 'restored' },
      { path, action: 'removed' },
    ];
  }
  return [{ path, action: status === 'added' ? 'removed' : 'restored' }];
}

function asFailure({ id, phase, state }: PlanRow, error: PlanError): PlanError {
  const details = { ...error.details, plan_id: id, phase, state };
  return new PlanError(error.message, details, { reason: error.reason, cause: error });
}

function asFact({ name, branch, commit, previous }: MergeResult) {
  return { resource: name, branch, commit, previous };
}

function undoneText(commits: readonly MergeResult[]): string {
  if (commits.length === 0) return 'Undone: nothing had been merged';
  return `Undone: ${commits.map(({ name, branch, commit }) => `${name} ${branch} at ${commit}`).join(', ')}`;
}
