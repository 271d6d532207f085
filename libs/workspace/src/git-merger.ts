import { BusinessRuleViolation, PlanError, ValidationError } from '@cleveragents/kernel';
import { GitError, type Git } from './git.js';
import { MergeConflictError, type MergeRequest, type MergeResult, type RevertRequest } from './merge.js';
import { targetBusy, type MergeJournal } from './merge-journal.js';
import type { MergePlanner, PlannedMerge } from './merge-planner.js';
import { RefTransaction } from './ref-transaction.js';
import type { TargetWorkTree } from './target-work-tree.js';

/** Moves target branches, all or none. */
export class GitMerger {
  constructor(
    private readonly git: Git,
    private readonly planner: MergePlanner,
    private readonly journal: MergeJournal,
  ) {}

  async mergeAll(requests: readonly MergeRequest[]): Promise<readonly MergeResult[]> {
    refuseSameTarget(requests);
    const planned: PlannedMerge[] = [];
    for (const request of requests) planned.push(await this.planner.planMerge(request));
    await this.install(planned);
    return planned.map(toResult);
  }

  async revertAll(requests: readonly RevertRequest[]): Promise<readonly MergeResult[]> {
    const planned: PlannedMerge[] = [];
    for (const request of requests) planned.push(await this.planner.planRevert(request));
    await this.install(planned);
    return planned.map(toResult);
  }

  /** Journalled from before the first lock until the targets are whole again, in their new or their old state. */
  private async install(planned: readonly PlannedMerge[]): Promise<void> {
    refuseUnlessClean(planned);
    const open = planned.filter((merge) => !merge.isDone);
    const journaled: PlannedMerge[] = [];
    const forgetAll = async (): Promise<void> => {
      for (const merge of journaled) await this.journal.forget(merge.place, merge);
    };
    try {
      for (const merge of open) {
        await this.journal.record(merge.place, merge);
        journaled.push(merge);
      }
      await this.move(open);
    } catch (error) {
      if (!(error instanceof TargetUnrestoredError)) await forgetAll();
      throw error;
    }
    await forgetAll();
  }

  /**
   * First git locks every target branch at its old commit, then the work trees change, last the branches move. All of
   * it can be taken back; the last step is a rename of files that git has already written.
   */
  private async move(merges: readonly PlannedMerge[]): Promise<void> {
    const held: RefTransaction[] = [];
    const touched: PlannedMerge[] = [];
    try {
      for (const merge of merges) held.push(await this.hold(merge));
      for (const merge of merges) await this.bringAlong(merge, () => touched.push(merge));
      for (const transaction of held) await transaction.commit();
    } catch (error) {
      for (const merge of touched) await this.takeBack(merge);
      throw error;
    } finally {
      // After a commit there is nothing to abort, and that is fine.
      for (const transaction of held) await transaction.abort();
    }
  }

  private async hold({ branch, previous, commit, place, workTree }: PlannedMerge): Promise<RefTransaction> {
    const update = { ref: `refs/heads/${branch}`, oldCommit: previous, newCommit: commit };
    try {
      return await RefTransaction.prepare(this.git, workTree?.place ?? place, update);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      const current = await this.git.resolve(place, update.ref);
      if (current === previous) throw targetBusy(branch, error);
      throw new BusinessRuleViolation(
        'The target branch moved meanwhile',
        { branch, expected: previous, found: current },
        { reason: 'TARGET_MOVED', cause: error },
      );
    }
  }

  private async bringAlong({ name, branch, workTree }: PlannedMerge, onTouch: () => void): Promise<void> {
    if (workTree === null) return;
    await this.checkAgain(name, branch, workTree);
    onTouch();
    try {
      await workTree.bringAlong();
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      const files = await workTree.unwrittenPaths();
      const message = `The target work tree could not be written: ${files.join(', ')}`;
      throw new PlanError(message, { resource: name, files }, { reason: 'TARGET_WRITE_FAILED', cause: error });
    }
  }

  /** The user may have been at work since the plan was made; now git holds the branch, and asks once more. */
  private async checkAgain(name: string, branch: string, workTree: TargetWorkTree): Promise<void> {
    try {
      if (await workTree.canBringAlong()) return;
    } catch (error) {
      // Somebody else's git has the index.
      throw error instanceof GitError ? targetBusy(branch, error) : error;
    }
    throw targetDirty((await workTree.dirtyPaths()).map((path) => ({ resource: name, path })));
  }

  /** A branch that has moved goes back, unless someone has built on it already; then its files stay with it. */
  private async takeBack({ name, branch, place, previous, commit, workTree }: PlannedMerge): Promise<void> {
    const ref = `refs/heads/${branch}`;
    try {
      const current = await this.git.resolve(place, ref);
      if (current === commit) await this.git.run(place, ['update-ref', '-m', 'taken back', ref, previous, commit]);
      if (current === commit || current === previous) await workTree?.restore();
    } catch (error) {
      if (error instanceof GitError) throw new TargetUnrestoredError(name, error);
      throw error;
    }
  }
}

/** The journal entry stays: whoever merges into that branch next puts the files back first. */
class TargetUnrestoredError extends PlanError {
  constructor(resource: string, cause: GitError) {
    const message = 'The target work tree could be neither written nor put back; the next attempt puts it back first';
    super(message, { resource }, { reason: 'TARGET_NOT_RESTORED', cause });
  }
}

function refuseSameTarget(requests: readonly MergeRequest[]): void {
  const targets = requests.map(
    ({ range, targetBranch }) => `${range.repository}\0${targetBranch ?? range.targetBranch}`,
  );
  if (new Set(targets).size < targets.length) {
    throw ValidationError.of('targetBranch', 'is the same for two changes of one repository');
  }
}

/** Every reason of every repository at once, so that one look is enough to clear the way. */
function refuseUnlessClean(planned: readonly PlannedMerge[]): void {
  const conflicts = planned.flatMap(({ name, conflicts: paths }) => paths.map((path) => ({ name, path })));
  if (conflicts.length > 0) throw new MergeConflictError(conflicts);
  const dirty = planned.flatMap(({ name, dirtyPaths }) => dirtyPaths.map((path) => ({ resource: name, path })));
  if (dirty.length > 0) throw targetDirty(dirty);
}

function targetDirty(files: { resource: string; path: string }[]): BusinessRuleViolation {
  const names = files.map(({ path }) => path).join(', ');
  return new BusinessRuleViolation(
    `The target work tree has uncommitted changes in files that would change: ${names}`,
    { files, hint: 'commit or stash them, then apply again' },
    { reason: 'TARGET_DIRTY' },
  );
}

function toResult({ name, branch, commit, previous }: PlannedMerge): MergeResult {
  return { name, branch, commit, previous };
}
