import { stat } from 'node:fs/promises';
import { BusinessRuleViolation } from '@cleveragents/kernel';
import type { Git, GitPlace } from './git.js';
import { parseWorkTrees } from './git-output.js';
import type { RepositoryInspector } from './repository-inspector.js';

/** Finds the work tree that has a branch checked out: the repository's own, or a linked one. */
export class TargetCheckouts {
  constructor(
    private readonly git: Git,
    private readonly inspector: RepositoryInspector,
  ) {}

  /** Null when the branch is checked out nowhere. */
  async of(place: GitPlace, branch: string): Promise<GitPlace | null> {
    const { stdout } = await this.git.run(place, ['worktree', 'list', '--porcelain', '-z']);
    const found = parseWorkTrees(stdout).find((entry) => entry.branch === `refs/heads/${branch}` && !entry.isBare);
    if (found === undefined || (await stat(found.path).catch(() => null)) === null) return null;
    if (!(await this.inspector.isAllowed(found.path))) {
      throw new BusinessRuleViolation(
        'The target branch is checked out outside the directories that the server may use',
        { branch },
        { reason: 'TARGET_NOT_ALLOWED' },
      );
    }
    return { cwd: found.path };
  }
}
