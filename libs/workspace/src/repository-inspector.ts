import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { ValidationError } from '@cleveragents/kernel';
import { BRANCH_NAME } from './branch-name.js';
import type { Git } from './git.js';
import type { RepositoryInfo } from './repository-info.js';

/** Looks at directories of the user, and decides which of them the server may work on. */
export class RepositoryInspector {
  constructor(
    private readonly git: Git,
    private readonly roots: readonly string[] | null,
    private readonly sandboxesDir: string,
  ) {}

  async inspect(path: string, branch?: string): Promise<RepositoryInfo> {
    await this.git.ensureUsable();
    const place = { cwd: await this.allowedDirectory(path) };
    const isBare = await this.isBare(place.cwd);
    if (branch !== undefined) await this.requireBranch(place.cwd, branch);
    const head = await this.git.run(place, ['symbolic-ref', '--quiet', '--short', 'HEAD'], { accept: [0, 1] });
    return {
      path: place.cwd,
      isBare,
      headBranch: head.exitCode === 0 ? head.stdout.toString('utf8').trim() : null,
      headCommit: await this.git.resolve(place, 'HEAD'),
      isDirty: !isBare && (await this.git.text(place, ['status', '--porcelain', '-z'])) !== '',
    };
  }

  /** Whether a directory that git, not a caller, names lies under the allowed roots. */
  async isAllowed(path: string): Promise<boolean> {
    if (this.roots === null) return true;
    const roots = await Promise.all(this.roots.map((root) => realpath(root).catch(() => null)));
    return roots.some((root) => root !== null && isWithin(root, path));
  }

  private async allowedDirectory(path: string): Promise<string> {
    if (!isAbsolute(path) || path.includes('\0')) throw ValidationError.of('path', 'must be an absolute path');
    const real = await realpath(resolve(path)).catch(() => null);
    // A path outside must answer the same whether it exists or not.
    if (!(await this.isAllowed(real ?? resolve(path)))) {
      throw ValidationError.of('path', 'lies outside the directories that the server may use', 'PATH_NOT_ALLOWED');
    }
    if (real === null || !(await lstat(real)).isDirectory()) {
      throw ValidationError.of('path', 'is not an existing directory', 'PATH_NOT_FOUND');
    }
    if (isWithin(await realpath(this.sandboxesDir).catch(() => this.sandboxesDir), real)) {
      throw ValidationError.of('path', 'is a sandbox of the server', 'PATH_NOT_ALLOWED');
    }
    return real;
  }

  /** Refuses what is neither the top of a work tree nor a bare repository; git is kept from looking further up. */
  private async isBare(path: string): Promise<boolean> {
    const facts = ['--is-bare-repository', '--is-inside-work-tree', '--path-format=absolute', '--git-common-dir'];
    const { exitCode, stdout } = await this.git.run({ cwd: path }, ['rev-parse', ...facts], { accept: [0, 128] });
    const [isBare, isWorkTree, gitDir = ''] = stdout.toString('utf8').split('\n');
    if (exitCode !== 0 || (isBare !== 'true' && isWorkTree !== 'true')) {
      throw ValidationError.of('path', 'is not the top directory of a git repository', 'NOT_A_REPOSITORY');
    }
    // A work tree may keep its repository anywhere, and that is where the server would write.
    if (!(await this.isAllowed(await realpath(gitDir)))) {
      throw ValidationError.of('path', 'belongs to a repository that the server may not use', 'PATH_NOT_ALLOWED');
    }
    return isBare === 'true';
  }

  private async requireBranch(path: string, branch: string): Promise<void> {
    if (!BRANCH_NAME.test(branch)) throw ValidationError.of('branch', 'is not a legal branch name');
    if ((await this.git.resolve({ cwd: path }, `refs/heads/${branch}`)) === null) {
      throw ValidationError.of('branch', 'does not exist in the repository', 'BRANCH_NOT_FOUND');
    }
  }
}

function isWithin(directory: string, path: string): boolean {
  return path === directory || path.startsWith(join(directory, sep));
}
