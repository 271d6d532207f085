import { mkdir, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BusinessRuleViolation, PlanError, ResourceNotFoundError, ValidationError } from '@cleveragents/kernel';
import { keptRef } from './change-set.js';
import { GitError, type Git, type GitPlace } from './git.js';
import { isSubmodule, parseNameStatus, parseRawChanges, splitNul } from './git-output.js';
import type { RepositoryGuard } from './repository-guard.js';
import type { RepositoryInspector } from './repository-inspector.js';
import type { CheckpointRequest, OpenSandboxRequest, RevertedPath, Sandbox, SandboxStrategy } from './sandbox.js';

const SANDBOX_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;
/** Old value of a ref that must not exist yet. */
const ABSENT = '';

/** Sandboxes as linked work trees on a branch of their own. */
export class GitSandboxes implements SandboxStrategy<Sandbox, OpenSandboxRequest> {
  constructor(
    private readonly git: Git,
    private readonly inspector: RepositoryInspector,
    private readonly guard: RepositoryGuard,
    private readonly sandboxesDir: string,
  ) {}

  async openSandbox({ sandboxId, repository, branch }: OpenSandboxRequest): Promise<Sandbox> {
    if (!SANDBOX_ID.test(sandboxId)) throw ValidationError.of('sandboxId', 'must be letters, digits, - and _');
    const { path, headBranch, headCommit } = await this.inspector.inspect(repository, branch ?? undefined);
    const targetBranch = branch ?? headBranch;
    if (targetBranch === null) {
      throw new BusinessRuleViolation(
        'The repository is on no branch: name one in the resource',
        {},
        { reason: 'DETACHED_HEAD' },
      );
    }
    const targetHead = branch === null ? headCommit : await this.git.resolve({ cwd: path }, `refs/heads/${branch}`);
    if (targetHead === null) {
      throw new BusinessRuleViolation('The repository has no commit yet', {}, { reason: 'EMPTY_REPOSITORY' });
    }
    const planBranch = `cleveragents/plan-${sandboxId}`;
    const baseCommit = await this.ensureBranch({ cwd: path }, planBranch, targetHead);
    const root = join(await this.directory(), sandboxId);
    const gitDir = await this.ensureWorkTree(path, root, planBranch);
    return {
      id: sandboxId,
      strategy: 'git_worktree',
      root,
      repository: path,
      gitDir,
      planBranch,
      baseCommit,
      targetBranch,
    };
  }

  /** Commits are what a sandbox is made of: its branch and its work tree are made again where they were lost. */
  async reopenSandbox(sandbox: Sandbox, checkpoint: string): Promise<Sandbox> {
    const { repository, root, planBranch } = sandbox;
    const commit = await this.requireCheckpoint(sandbox, checkpoint);
    if ((await this.git.resolve({ cwd: repository }, branchRef(sandbox))) === null) {
      await this.git.run({ cwd: repository }, ['update-ref', branchRef(sandbox), commit, ABSENT]);
    }
    await this.directory();
    await this.returnToBranch(sandbox);
    const gitDir = await this.ensureWorkTree(repository, root, planBranch);
    const reopened = { ...sandbox, gitDir };
    await this.reset(reopened, commit);
    return reopened;
  }

  async checkpoint(sandbox: Sandbox, { message, author }: CheckpointRequest): Promise<string | null> {
    const place = await this.placeOf(sandbox);
    const head = await this.headOf(sandbox);
    await this.stageAll(place);
    const tree = await this.git.text(place, ['write-tree']);
    if (tree === (await this.git.resolve(place, head, 'tree'))) return null;
    await this.refuseNestedRepositories(place, head, tree);
    const commit = await this.git.text(place, ['commit-tree', tree, '-p', head, '-F', '-'], { stdin: message, author });
    // Not `git commit`: it would move whatever branch a command in the sandbox may have switched to.
    await this.git.run(place, ['update-ref', '-m', 'checkpoint', branchRef(sandbox), commit, head]);
    return commit;
  }

  async headOf(sandbox: Sandbox): Promise<string> {
    const head = await this.git.resolve({ cwd: sandbox.repository }, branchRef(sandbox));
    if (head === null) throw ResourceNotFoundError.of('Sandbox', { sandbox_id: sandbox.id });
    return head;
  }

  async previewReset(sandbox: Sandbox, checkpoint: string): Promise<readonly RevertedPath[]> {
    const place = await this.placeOf(sandbox);
    const commit = await this.requireCheckpoint(sandbox, checkpoint);
    // Nothing is staged: files that git cannot record must not stand in the way of getting rid of them.
    await this.git.run(place, ['update-index', '-q', '--refresh'], { accept: [0, 1] });
    const tracked = await this.git.run(place, ['diff-index', '--name-status', '--no-renames', '-z', commit, '--']);
    const untracked = await this.git.run(place, ['ls-files', '--others', '--exclude-standard', '-z']);
    const actions = new Map<string, RevertedPath['action']>();
    for (const path of splitNul(untracked.stdout)) actions.set(path, 'removed');
    for (const { path, letter } of parseNameStatus(tracked.stdout)) {
      actions.set(path, letter === 'A' ? 'removed' : 'restored');
    }
    return [...actions].map(([path, action]) => ({ path, action })).sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Ignored files stay, as installed dependencies are: no checkpoint holds them, so none could bring them back. */
  async reset(sandbox: Sandbox, checkpoint: string): Promise<readonly RevertedPath[]> {
    const changes = await this.previewReset(sandbox, checkpoint);
    const place = await this.placeOf(sandbox);
    await this.git.run(place, ['reset', '--quiet', '--hard', checkpoint]);
    await this.git.run(place, ['clean', '--quiet', '-ffd']);
    return changes;
  }

  async removeSandbox(sandbox: Sandbox): Promise<void> {
    // A repository that is gone has taken its part along.
    if (!(await this.guard.isReadable(sandbox.repository))) return rm(sandbox.root, { recursive: true, force: true });
    await this.discardWorkTree(sandbox.repository, sandbox.root);
    await this.git.run({ cwd: sandbox.repository }, ['update-ref', '-d', branchRef(sandbox)]);
  }

  async keepRef(sandbox: Sandbox): Promise<string> {
    const ref = keptRef(sandbox.id);
    await this.git.run({ cwd: sandbox.repository }, ['update-ref', ref, await this.headOf(sandbox)]);
    return ref;
  }

  private async directory(): Promise<string> {
    await mkdir(this.sandboxesDir, { recursive: true, mode: 0o700 });
    return realpath(this.sandboxesDir);
  }

  private async stageAll(place: GitPlace): Promise<void> {
    try {
      await this.git.run(place, ['add', '--all']);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      const message = 'git cannot record the files of the sandbox';
      throw new PlanError(message, {}, { reason: 'CHECKPOINT_FAILED', cause: error });
    }
  }

  /** git records only a pointer to a repository inside another one: the files themselves would be lost with the sandbox. */
  private async refuseNestedRepositories(place: GitPlace, head: string, tree: string): Promise<void> {
    const { stdout } = await this.git.run(place, ['diff-tree', '-r', '--raw', '-z', '--no-renames', head, tree]);
    const nested = parseRawChanges(stdout).filter((change) => change.status === 'added' && isSubmodule(change));
    if (nested.length === 0) return;
    const paths = nested.map(({ path }) => path);
    const message = `A git repository was made inside the sandbox, and its files cannot be recorded: ${paths.join(', ')}`;
    throw new PlanError(message, { paths }, { reason: 'NESTED_REPOSITORY' });
  }

  /** The commit that the plan branch left the target at; the branch is made when it is not there yet. */
  private async ensureBranch(place: GitPlace, planBranch: string, targetHead: string): Promise<string> {
    const ref = `refs/heads/${planBranch}`;
    const existing = await this.git.resolve(place, ref);
    if (existing !== null) return this.git.text(place, ['merge-base', existing, targetHead]);
    try {
      await this.git.run(place, ['update-ref', ref, targetHead, ABSENT]);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      throw new BusinessRuleViolation(
        'The plan branch cannot be created beside the branches of the repository',
        { branch: planBranch },
        { reason: 'BRANCH_NOT_CREATED', cause: error },
      );
    }
    return targetHead;
  }

  /** Reuses an intact work tree; anything that a crash left half-made is thrown away and made again from the branch. */
  private async ensureWorkTree(repository: string, root: string, planBranch: string): Promise<string> {
    const existing = await this.gitDirOf(repository, root);
    if (existing !== null && (await this.isIntact({ cwd: root, gitDir: existing }, planBranch))) {
      // The lock of a git process that was killed: nobody else works in a sandbox.
      await rm(join(existing, 'index.lock'), { force: true });
      return existing;
    }
    await this.discardWorkTree(repository, root);
    await this.git.run({ cwd: repository }, ['worktree', 'add', '--quiet', root, planBranch]);
    const created = await this.gitDirOf(repository, root);
    if (created === null) throw new Error('git made a work tree but does not list it');
    return created;
  }

  /** While git fills a new work tree it keeps a `locked` file. */
  private async isIntact(place: GitPlace & { gitDir: string }, planBranch: string): Promise<boolean> {
    if (!(await exists(join(place.cwd, '.git'))) || (await exists(join(place.gitDir, 'locked')))) return false;
    const head = await this.git.run(place, ['symbolic-ref', '--quiet', 'HEAD'], { accept: [0, 1, 128] });
    return head.stdout.toString('utf8').trim() === `refs/heads/${planBranch}`;
  }

  private async discardWorkTree(repository: string, root: string): Promise<void> {
    const gitDir = await this.gitDirOf(repository, root);
    await rm(root, { recursive: true, force: true });
    // Not `git worktree prune`: it would also forget work trees of the user that are merely out of reach now.
    if (gitDir !== null) await rm(gitDir, { recursive: true, force: true });
  }

  /** The git directory of a linked work tree, by git's documented layout: each names its work tree in `gitdir`. */
  private async gitDirOf(repository: string, root: string): Promise<string | null> {
    const common = await this.git.text({ cwd: repository }, [
      'rev-parse',
      '--path-format=absolute',
      '--git-common-dir',
    ]);
    const directory = join(common, 'worktrees');
    for (const name of await readdir(directory).catch(() => [])) {
      const gitFile = await readFile(join(directory, name, 'gitdir'), 'utf8').catch(() => '');
      if (dirname(gitFile.trim()) === root) return join(directory, name);
    }
    return null;
  }

  /** The sandbox as a place for git, with its head on its own branch whatever commands did to it. */
  private async placeOf(sandbox: Sandbox): Promise<GitPlace> {
    const place = { cwd: sandbox.root, gitDir: sandbox.gitDir };
    if (!(await exists(sandbox.root)) || !(await exists(sandbox.gitDir))) {
      throw ResourceNotFoundError.of('Sandbox', { sandbox_id: sandbox.id });
    }
    await this.git.run(place, ['symbolic-ref', 'HEAD', branchRef(sandbox)]);
    return place;
  }

  /** A command in the sandbox may have switched it; in one that is not whole nothing can be said, and that is fine. */
  private async returnToBranch(sandbox: Sandbox): Promise<void> {
    if (!(await exists(sandbox.root))) return;
    const place = { cwd: sandbox.root, gitDir: sandbox.gitDir };
    await this.git.run(place, ['symbolic-ref', 'HEAD', branchRef(sandbox)], { accept: [0, 128] });
  }

  /** Only commits that continue the base belong to the sandbox. */
  private async requireCheckpoint({ repository, baseCommit }: Sandbox, checkpoint: string): Promise<string> {
    const place = { cwd: repository };
    const commit = /^[0-9a-f]{40,64}$/.test(checkpoint) ? await this.git.resolve(place, checkpoint) : null;
    const isOurs =
      commit !== null &&
      (await this.git.run(place, ['merge-base', '--is-ancestor', baseCommit, commit], { accept: [0, 1] })).exitCode ===
        0;
    if (commit === null || !isOurs) throw ResourceNotFoundError.of('Checkpoint', { commit: checkpoint });
    return commit;
  }
}

function branchRef({ planBranch }: Sandbox): string {
  return `refs/heads/${planBranch}`;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
