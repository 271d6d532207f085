import { BusinessRuleViolation, type ErrorDetails } from '@cleveragents/kernel';
import { GitError, type Git } from './git.js';

/** What must be there for work on a repository to make sense. */
export interface GuardedRepository {
  readonly repository: string;
  readonly targetBranch?: string;
  /** A commit that everything else rests on. */
  readonly baseCommit?: string;
}

/** Says plainly that a repository is gone or damaged, where git and the file system only report what they ran into. */
export class RepositoryGuard {
  constructor(private readonly git: Git) {}

  /** Looks only after a failure: work that succeeds costs nothing more. */
  async during<T>(targets: readonly GuardedRepository[], work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      for (const target of targets) if (!(await this.isWhole(target))) throw repositoryMissing(target, error);
      throw error;
    }
  }

  /** There is a repository of which git can make something. */
  async isReadable(repository: string): Promise<boolean> {
    try {
      await this.git.run({ cwd: repository }, ['rev-parse', '--git-dir']);
      return true;
    } catch (error) {
      if (error instanceof GitError) return false;
      throw error;
    }
  }

  private async isWhole({ repository, baseCommit }: GuardedRepository): Promise<boolean> {
    if (!(await this.isReadable(repository))) return false;
    return baseCommit === undefined || (await this.git.resolve({ cwd: repository }, baseCommit)) !== null;
  }
}

function repositoryMissing({ targetBranch }: GuardedRepository, cause: unknown): BusinessRuleViolation {
  const details: ErrorDetails = targetBranch === undefined ? {} : { branch: targetBranch };
  const message = 'The repository is gone or damaged: try again once it is restored';
  return new BusinessRuleViolation(message, details, { reason: 'TARGET_MISSING', cause });
}
