import { BusinessRuleViolation } from '@cleveragents/kernel';
import { GitError, type Git, type GitPlace } from './git.js';
import { RefTransaction } from './ref-transaction.js';
import { TargetWorkTree } from './target-work-tree.js';
import type { TargetCheckouts } from './target-checkouts.js';

const JOURNAL = 'refs/cleveragents-apply';

export interface JournalEntry {
  readonly sandboxId: string;
  readonly branch: string;
  /** The commit that the branch is about to move to; its first parent is where the branch was. */
  readonly commit: string;
}

/**
 * Remembers, as refs of the repository itself, which target branch is about to move where, so that a crash between
 * the first changed file and the moved branch can be undone by whoever comes next.
 */
export class MergeJournal {
  constructor(
    private readonly git: Git,
    private readonly checkouts: TargetCheckouts,
  ) {}

  async record(place: GitPlace, entry: JournalEntry): Promise<void> {
    try {
      await this.git.run(place, ['update-ref', refOf(entry), entry.commit, '']);
    } catch (error) {
      if (error instanceof GitError) throw targetBusy(entry.branch, error);
      throw error;
    }
  }

  /** Gone already is fine: whoever recovers a branch forgets what lies there. */
  async forget(place: GitPlace, entry: JournalEntry): Promise<void> {
    await this.git.run(place, ['update-ref', '-d', refOf(entry), entry.commit], { accept: [0, 1, 128] });
  }

  /** Ends what an earlier run left half-done on a branch: the branch has moved, or its files go back. */
  async recover(place: GitPlace, branch: string): Promise<void> {
    const list = ['for-each-ref', '--format=%(refname) %(objectname)', `${JOURNAL}/`];
    for (const line of (await this.git.text(place, list)).split('\n')) {
      const entry = entryOf(line);
      if (entry === null || entry.branch !== branch) continue;
      await this.rollBack(place, entry);
      await this.forget(place, entry);
    }
  }

  private async rollBack(place: GitPlace, entry: JournalEntry): Promise<void> {
    const ref = `refs/heads/${entry.branch}`;
    const current = await this.git.resolve(place, ref);
    const previous = await this.git.resolve(place, `${entry.commit}^1`);
    // Moved already, by that run or by the user: the files belong to the new commit.
    if (current === null || current !== previous) return;
    const checkout = await this.checkouts.of(place, entry.branch);
    if (checkout === null) return;
    const hold = await this.hold(checkout, entry.branch, current);
    if (hold === null) return;
    try {
      await (await TargetWorkTree.at(this.git, checkout, current, entry.commit)).restoreUntouched();
    } finally {
      await hold.abort();
    }
  }

  /** Holding the branch tells a run that crashed from one that is still at it. Null when it has moved meanwhile. */
  private async hold(place: GitPlace, branch: string, commit: string): Promise<RefTransaction | null> {
    const ref = `refs/heads/${branch}`;
    try {
      return await RefTransaction.prepare(this.git, place, { ref, oldCommit: commit, newCommit: commit });
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      if ((await this.git.resolve(place, ref)) !== commit) return null;
      throw targetBusy(branch, error);
    }
  }
}

export function targetBusy(branch: string, cause?: unknown): BusinessRuleViolation {
  return new BusinessRuleViolation(
    'The target branch is being changed by someone else: try again',
    { branch },
    { reason: 'TARGET_BUSY', cause },
  );
}

function refOf({ sandboxId, branch }: JournalEntry): string {
  return `${JOURNAL}/${sandboxId}/${branch}`;
}

function entryOf(line: string): JournalEntry | null {
  const [ref = '', commit = ''] = line.split(' ');
  const match = new RegExp(`^${JOURNAL}/([^/]+)/(.+)$`).exec(ref);
  return match === null ? null : { sandboxId: match[1] ?? '', branch: match[2] ?? '', commit };
}
