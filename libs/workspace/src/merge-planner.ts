import { BusinessRuleViolation, PlanError } from '@cleveragents/kernel';
import type { ChangeReader, RangeEnds } from './change-reader.js';
import type { Git, GitPlace } from './git.js';
import { parseMergeTree } from './git-output.js';
import type { MergeRequest, RevertRequest } from './merge.js';
import type { JournalEntry, MergeJournal } from './merge-journal.js';
import type { TargetCheckouts } from './target-checkouts.js';
import { TargetWorkTree } from './target-work-tree.js';

/** A merge whose commit exists but that no branch knows yet; or the reasons why there can be none. */
export interface PlannedMerge extends JournalEntry {
  readonly name: string;
  readonly place: GitPlace;
  readonly previous: string;
  /** `commit` is in place already, or equal to `previous`: nothing is left to do. */
  readonly isDone: boolean;
  readonly conflicts: readonly string[];
  readonly dirtyPaths: readonly string[];
  /** Null when the branch is checked out nowhere. */
  readonly workTree: TargetWorkTree | null;
}

/** What both kinds of change, a merge and its reversal, are made of. */
interface Change {
  readonly name: string;
  readonly sandboxId: string;
  readonly place: GitPlace;
  readonly branch: string;
  readonly target: string;
  /** Merged into the target for its content. */
  readonly incoming: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: MergeRequest['author'];
}

/** Does everything of a merge that can fail without touching a branch, an index or a file. */
export class MergePlanner {
  constructor(
    private readonly git: Git,
    private readonly reader: ChangeReader,
    private readonly checkouts: TargetCheckouts,
    private readonly journal: MergeJournal,
  ) {}

  async planMerge(request: MergeRequest): Promise<PlannedMerge> {
    const { name, sandboxId, message, author } = request;
    const branch = request.targetBranch ?? request.range.targetBranch;
    const range = { ...request.range, targetBranch: branch };
    const place = { cwd: range.repository };
    await this.journal.recover(place, branch);
    const ends = await this.reader.endsOf(range);
    const target = requireTarget(ends.target, branch, request.expectedHead);
    const earlier = await this.earlierMerge(place, ends, target);
    if (earlier !== null) return done({ name, sandboxId, place, branch }, earlier);
    await this.requireCommonStart(place, request, ends, target);
    await this.checkChangeset(request, range.head, ends);
    if (ends.head === target) return done({ name, sandboxId, place, branch }, { commit: target, previous: target });
    const parents = [target, ends.head];
    return this.plan({ name, sandboxId, place, branch, target, incoming: ends.head, parents, message, author });
  }

  /**
   * git 2.38 cannot be given a merge base, so the reversal is a commit on top of the merge that has the tree from
   * before it: merging that has the merge as its base.
   */
  async planRevert({ mergeCommit, repository, ...request }: RevertRequest): Promise<PlannedMerge> {
    const place = { cwd: repository };
    const { branch, message, author } = request;
    await this.journal.recover(place, branch);
    const target = requireTarget(await this.git.resolve(place, `refs/heads/${branch}`), branch);
    await this.requireMerged(place, mergeCommit, target, branch);
    const tree = await this.git.text(place, ['rev-parse', '--verify', `${mergeCommit}^1^{tree}`]);
    const incoming = await this.commit(place, tree, [mergeCommit], { message, author });
    const planned = await this.plan({ ...request, place, target, incoming, parents: [target] });
    const isUndone = planned.conflicts.length === 0 && (await this.hasSameTree(place, planned.commit, target));
    return isUndone ? done({ ...request, place }, { commit: target, previous: target }) : planned;
  }

  private async plan(change: Change): Promise<PlannedMerge> {
    const { name, sandboxId, place, branch, target, incoming, parents } = change;
    const args = ['merge-tree', '--write-tree', '--name-only', '-z', target, incoming];
    const { exitCode, stdout } = await this.git.run(place, args, { accept: [0, 1] });
    const { tree, conflicts } = parseMergeTree(stdout);
    const base = { name, sandboxId, place, branch, previous: target, isDone: false };
    if (exitCode === 1) return { ...base, commit: target, conflicts, dirtyPaths: [], workTree: null };
    const commit = await this.commit(place, tree, parents, change);
    const workTree = await this.workTreeOf(place, branch, target, commit);
    return { ...base, commit, conflicts: [], dirtyPaths: (await workTree?.dirtyPaths()) ?? [], workTree };
  }

  private async workTreeOf(place: GitPlace, branch: string, from: string, to: string): Promise<TargetWorkTree | null> {
    const checkout = await this.checkouts.of(place, branch);
    if (checkout === null) return null;
    const workTree = await TargetWorkTree.at(this.git, checkout, from, to);
    if (workTree.hasUnreadableName()) {
      const message = 'A changed file has a name that is not UTF-8, which the server cannot put back if it has to';
      throw new BusinessRuleViolation(message, { branch }, { reason: 'UNSUPPORTED_PATH' });
    }
    if (await workTree.hasOperationUnderWay()) {
      const message = 'A merge or rebase is under way in the target work tree';
      throw new BusinessRuleViolation(message, { branch }, { reason: 'TARGET_BUSY' });
    }
    return workTree;
  }

  /** A retry after the branch moved but before its caller could note it finds the merge that it made. */
  private async earlierMerge(
    place: GitPlace,
    { head, isMerged }: RangeEnds,
    target: string,
  ): Promise<{ commit: string; previous: string } | null> {
    if (!isMerged) return null;
    const args = ['rev-list', '--first-parent', '--merges', '--parents', `${head}..${target}`];
    for (const line of (await this.git.text(place, args)).split('\n')) {
      const [commit = '', previous = '', merged] = line.split(' ');
      if (merged === head) return { commit, previous };
    }
    return { commit: target, previous: target };
  }

  /** A target without the commit that the plan began with was rewritten: merging would bring back what was dropped. */
  private async requireCommonStart(
    place: GitPlace,
    { range, targetBranch = range.targetBranch }: MergeRequest,
    { base, isUnrelated }: RangeEnds,
    target: string,
  ): Promise<void> {
    const isOwnTarget = targetBranch === range.targetBranch;
    if (isUnrelated && !isOwnTarget) {
      const message = `Branch ${targetBranch} has no commit in common with the changes`;
      throw new BusinessRuleViolation(message, { branch: targetBranch }, { reason: 'UNRELATED_HISTORIES' });
    }
    const hasStart = base === range.baseCommit && !isUnrelated;
    if (!isOwnTarget || hasStart || (await this.isAncestor(place, range.baseCommit, target))) return;
    const message = `Branch ${targetBranch} was rewritten: it no longer holds the commit that the changes begin with`;
    throw new PlanError(message, { branch: targetBranch }, { reason: 'TARGET_REWRITTEN' });
  }

  private async checkChangeset(request: MergeRequest, head: string, { base, head: commit }: RangeEnds): Promise<void> {
    const { expectedChangeset, allowEmpty = false } = request;
    if (expectedChangeset !== undefined) {
      const changeset = await this.reader.changesetHash({ ...request.range, head });
      if (changeset !== expectedChangeset) {
        throw new BusinessRuleViolation(
          'The changes are not the ones that were reviewed',
          { expected_changeset: expectedChangeset, changeset_hash: changeset },
          { reason: 'CHANGESET_MOVED' },
        );
      }
    }
    if (!allowEmpty && (await this.hasSameTree({ cwd: request.range.repository }, base, commit))) {
      throw new BusinessRuleViolation('There is nothing to apply', {}, { reason: 'EMPTY_CHANGESET' });
    }
  }

  private async requireMerged(place: GitPlace, commit: string, target: string, branch: string): Promise<void> {
    const isKnown = (await this.git.resolve(place, `${commit}^2`)) !== null;
    if (isKnown && (await this.isAncestor(place, commit, target))) return;
    throw new BusinessRuleViolation('The merge is not on the target branch', { branch }, { reason: 'MERGE_NOT_FOUND' });
  }

  private async isAncestor(place: GitPlace, one: string, other: string): Promise<boolean> {
    const args = ['merge-base', '--is-ancestor', one, other];
    return (await this.git.run(place, args, { accept: [0, 1] })).exitCode === 0;
  }

  private async hasSameTree(place: GitPlace, one: string, other: string): Promise<boolean> {
    return (await this.git.resolve(place, one, 'tree')) === (await this.git.resolve(place, other, 'tree'));
  }

  private commit(
    place: GitPlace,
    tree: string,
    parents: readonly string[],
    { message, author }: Pick<MergeRequest, 'message' | 'author'>,
  ): Promise<string> {
    const parentArgs = parents.flatMap((parent) => ['-p', parent]);
    return this.git.text(place, ['commit-tree', tree, ...parentArgs, '-F', '-'], { stdin: message, author });
  }
}

function requireTarget(target: string | null, branch: string, expected?: string): string {
  if (target === null) {
    const message = `Branch ${branch} does not exist in the target repository`;
    throw new BusinessRuleViolation(message, { branch }, { reason: 'TARGET_MISSING' });
  }
  if (expected !== undefined && target !== expected) {
    const message = 'The target branch has moved since the review';
    throw new BusinessRuleViolation(message, { branch, expected, found: target }, { reason: 'TARGET_MOVED' });
  }
  return target;
}

function done(
  change: Pick<PlannedMerge, 'name' | 'sandboxId' | 'place' | 'branch'>,
  commits: { commit: string; previous: string },
): PlannedMerge {
  return { ...change, ...commits, isDone: true, conflicts: [], dirtyPaths: [], workTree: null };
}
