import { BusinessRuleViolation, PlanError, ValidationError } from '@cleveragents/kernel';
import { GitError, type Git } from './git.js';
import { MergeConflictError, type MergeRequest, type MergeResult, type RevertRequest } from './merge.js';
import { targetBusy, type MergeJournal } from './merge-journal.js';
import type { MergePlanner, PlannedMerge } from './merge-planner.js';
import { RefTransaction } from './ref-transaction.js';

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

  async revertMerge(request: RevertRequest): Promise<MergeResult> {
    const planned = await this.planner.planRevert(request);
    await this.install([planned]);
    return toResult(planned);
  }

  /**
   * 1. journal, 2. git locks every target branch at its old commit, 3. the work trees change, 4. the branches move.
   * Up to 4 everything can be taken back; 4 is a rename of files that git has already written.
   */
  private async install(planned: readonly PlannedMerge[]): Promise<void> {
    refuseUnlessClean(planned);
    const open = planned.filter((merge) => !merge.isDone);
    const journaled: PlannedMerge[] = [];
    const held: RefTransaction[] = [];
    const touched: PlannedMerge[] = [];
    try {
      for (const merge of open) {
        await this.journal.record(merge.place, merge);
        journaled.push(merge);
      }
      for (const merge of open) held.push(await this.hold(merge));
      for (const merge of open) await this.bringAlong(merge, () => touched.push(merge));
      for (const transaction of held) await transaction.commit();
    } catch (error) {
      for (const merge of touched) await this.takeBack(merge);
      for (const merge of journaled) await this.journal.forget(merge.place, merge);
      throw error;
    } finally {
      // After a commit there is nothing to abort, and that is fine.
      for (const transaction of held) await transaction.abort();
    }
    for (const merge of journaled) await this.journal.forget(merge.place, merge);
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

  private async bringAlong({ name, workTree }: PlannedMerge, onTouch: () => void): Promise<void> {
    if (workTree === null) return;
    if (!(await workTree.canBringAlong())) {
      throw targetDirty((await workTree.dirtyPaths()).map((path) => ({ resource: name, path })));
    }
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

  /** A branch that has moved goes back, unless someone has built on it already; then its files stay with it. */
  private async takeBack({ branch, place, previous, commit, workTree }: PlannedMerge): Promise<void> {
    const ref = `refs/heads/${branch}`;
    const current = await this.git.resolve(place, ref);
    if (current === commit) await this.git.run(place, ['update-ref', '-m', 'apply taken back', ref, previous, commit]);
    if (current === commit || current === previous) await workTree?.restore();
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
