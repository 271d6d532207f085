import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SampleRepository } from '@cleveragents/testing';
import { keptRange, liveRange } from './change-set.js';
import type { GitWorkspace } from './git-workspace.js';
import type { Sandbox } from './sandbox.js';
import { ADA, WorkspaceFixture } from './workspace.fixture.js';

// Each test starts dozens of processes, which a busy machine may take its time for.
vi.setConfig({ testTimeout: 60_000 });

let fixture: WorkspaceFixture;
let home: string;
let repository: SampleRepository;
let workspace: GitWorkspace;

beforeEach(() => {
  fixture = new WorkspaceFixture();
  ({ home, workspace } = fixture);
  repository = SampleRepository.create();
});

afterEach(() => {
  repository.remove();
  fixture.remove();
});

function open(sandboxId = 'P1'): Promise<Sandbox> {
  return fixture.open(repository.path, sandboxId);
}

function write(sandbox: Sandbox, path: string, content: string): void {
  writeFileSync(join(sandbox.root, path), content);
}

function emptyDirectory(path: string): void {
  rmSync(path, { recursive: true });
  mkdirSync(path);
}

function checkpoint(sandbox: Sandbox): Promise<string | null> {
  return fixture.step(sandbox, {});
}

function exclaim(sandbox: Sandbox): Promise<string[]> {
  return fixture.exclaim(sandbox);
}

describe('inspect', () => {
  it('describes a work tree', async () => {
    expect(await workspace.inspect(repository.path)).toEqual({
      path: repository.path,
      isBare: false,
      headBranch: 'main',
      headCommit: repository.head(),
      isDirty: false,
    });
    repository.write({ 'new file': 'x' });
    expect((await workspace.inspect(repository.path)).isDirty).toBe(true);
  });

  it('describes bare, empty and detached repositories', async () => {
    expect(await workspace.inspect(repository.bareCopy())).toMatchObject({
      isBare: true,
      headBranch: 'main',
      isDirty: false,
    });
    repository.git('checkout', '--quiet', '--detach');
    expect(await workspace.inspect(repository.path)).toMatchObject({ headBranch: null, headCommit: repository.head() });
    const empty = SampleRepository.create({});
    expect(await workspace.inspect(empty.path)).toMatchObject({ headBranch: 'main', headCommit: null });
    empty.remove();
  });

  it('refuses what is not the top directory of a repository', async () => {
    await expect(workspace.inspect(join(repository.path, 'src'))).rejects.toMatchObject({ reason: 'NOT_A_REPOSITORY' });
    await expect(workspace.inspect(join(repository.path, '.git'))).rejects.toMatchObject({
      reason: 'NOT_A_REPOSITORY',
    });
    await expect(workspace.inspect(home)).rejects.toMatchObject({ reason: 'NOT_A_REPOSITORY' });
    await expect(workspace.inspect(join(home, 'absent'))).rejects.toMatchObject({ reason: 'PATH_NOT_FOUND' });
    await expect(workspace.inspect('relative')).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
  });

  it('refuses a branch that is not there, or that is a revision in disguise', async () => {
    await expect(workspace.inspect(repository.path, 'dev')).rejects.toMatchObject({ reason: 'BRANCH_NOT_FOUND' });
    await expect(workspace.inspect(repository.path, 'main~0')).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
  });

  it('follows links before it asks whether a path is allowed, and answers alike for what does not exist', async () => {
    const confined = fixture.configured({ WORKSPACE_ROOTS: home });
    symlinkSync(repository.path, join(home, 'link'));
    const refusals = [repository.path, join(home, 'link'), '/nowhere/at/all', `${home}-sibling`];
    for (const path of refusals)
      await expect(confined.inspect(path)).rejects.toMatchObject({ reason: 'PATH_NOT_ALLOWED' });
    repository.git('worktree', 'add', '--quiet', '--detach', join(home, 'linked'));
    await expect(confined.inspect(join(home, 'linked'))).rejects.toMatchObject({ reason: 'PATH_NOT_ALLOWED' });
    const sibling = fixture.configured({ WORKSPACE_ROOTS: join(repository.path, '..') });
    expect((await sibling.inspect(join(home, 'link'))).path).toBe(repository.path);
  });
});

describe('openSandbox', () => {
  it('makes a work tree outside the repository and leaves branch and status alone', async () => {
    const sandbox = await open();
    expect(sandbox).toMatchObject({
      root: join(home, 'data/sandboxes/P1'),
      planBranch: 'cleveragents/plan-P1',
      baseCommit: repository.head(),
      targetBranch: 'main',
    });
    await exclaim(sandbox);
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(repository.git('rev-list', '--count', 'main')).toBe('1');
  });

  it('finds the sandbox again, with what was written after the last checkpoint', async () => {
    const first = await open();
    await exclaim(first);
    write(first, 'draft', 'not yet');
    expect(await open()).toEqual(first);
    expect(readFileSync(join(first.root, 'draft'), 'utf8')).toBe('not yet');
  });

  it.each([
    [
      'only the branch',
      (sandbox: Sandbox) => {
        rmSync(sandbox.root, { recursive: true });
        rmSync(sandbox.gitDir, { recursive: true });
      },
    ],
    ['a work tree without its directory', (sandbox: Sandbox) => rmSync(sandbox.root, { recursive: true })],
    ['a directory that git does not know', (sandbox: Sandbox) => rmSync(sandbox.gitDir, { recursive: true })],
    [
      'a half-made work tree',
      (sandbox: Sandbox) => {
        writeFileSync(join(sandbox.gitDir, 'locked'), 'initializing');
        rmSync(join(sandbox.root, 'src'), { recursive: true });
      },
    ],
    ['a work tree whose .git file points elsewhere', (sandbox: Sandbox) => rmSync(join(sandbox.root, '.git'))],
    ['the lock of a git that was killed', (sandbox: Sandbox) => writeFileSync(join(sandbox.gitDir, 'index.lock'), '')],
  ])('continues from its checkpoints when a crash left %s', async (_what, damage) => {
    const before = await open();
    const [, , last] = await exclaim(before);
    damage(before);
    const after = await open();
    expect(after).toEqual(before);
    expect(await workspace.headOf(after)).toBe(last);
    expect(existsSync(join(after.root, 'CHANGELOG.md'))).toBe(true);
    expect(readFileSync(join(after.root, 'src/greet.js'), 'utf8')).toContain("'!'");
    write(after, 'next', 'x');
    expect(await checkpoint(after)).toMatch(/^[0-9a-f]{40}$/);
  });

  it('refuses an empty repository and a detached head without a branch', async () => {
    const empty = SampleRepository.create({});
    const request = { sandboxId: 'P2', repository: empty.path, branch: null };
    await expect(workspace.openSandbox(request)).rejects.toMatchObject({ reason: 'EMPTY_REPOSITORY' });
    empty.remove();
    repository.git('checkout', '--quiet', '--detach');
    const detached = { sandboxId: 'P2', repository: repository.path, branch: null };
    await expect(workspace.openSandbox(detached)).rejects.toMatchObject({ reason: 'DETACHED_HEAD' });
    expect(await open('P2')).toMatchObject({ targetBranch: 'main' });
  });

  it('refuses an id that is more than a name, and a repository that is itself a sandbox', async () => {
    await expect(open('../x')).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
    const { root } = await open();
    await expect(workspace.inspect(root)).rejects.toMatchObject({ reason: 'PATH_NOT_ALLOWED' });
  });

  it('says so when the branches of the repository leave no room for its own', async () => {
    repository.git('branch', 'cleveragents');
    await expect(open()).rejects.toMatchObject({ reason: 'BRANCH_NOT_CREATED' });
  });
});

describe('reopenSandbox', () => {
  const losses: [string, (sandbox: Sandbox) => void][] = [
    ['work tree', (sandbox) => rmSync(sandbox.root, { recursive: true })],
    ['git directory', () => rmSync(join(repository.path, '.git/worktrees'), { recursive: true })],
    ['content of its git directory', (sandbox) => emptyDirectory(sandbox.gitDir)],
    ['branch', (sandbox) => repository.git('update-ref', '-d', `refs/heads/${sandbox.planBranch}`)],
    ['index', (sandbox) => rmSync(join(sandbox.gitDir, 'index'))],
    ['free index', (sandbox) => writeFileSync(join(sandbox.gitDir, 'index.lock'), '')],
  ];

  it.each(losses)(
    'brings a sandbox that lost its %s back to the checkpoint, ready for the next one',
    async (_, lose) => {
      const sandbox = await open();
      const [first = '', second] = await exclaim(sandbox);
      write(sandbox, 'half-done.txt', 'half');
      lose(sandbox);
      const reopened = await workspace.reopenSandbox(sandbox, first);
      expect(existsSync(join(reopened.root, 'half-done.txt'))).toBe(false);
      expect(readFileSync(join(reopened.root, 'src/greet.js'), 'utf8')).toContain("'!'");
      expect(existsSync(join(reopened.root, 'CHANGELOG.md'))).toBe(false);
      expect(await workspace.headOf(reopened)).toBe(first);
      const next = await fixture.step(reopened, { 'next.txt': 'next\n' });
      expect(repository.git('log', '-1', '--format=%P', next ?? '')).toBe(first);
      expect(second).not.toBe(first);
    },
  );

  it('keeps ignored files of a sandbox that is whole, also when a command in it switched to another branch', async () => {
    repository.write({ '.gitignore': 'installed\n' });
    repository.commit('ignore');
    const sandbox = await open();
    write(sandbox, 'installed', 'yes');
    execFileSync('git', ['checkout', '--quiet', '-b', 'elsewhere'], { cwd: sandbox.root });
    const reopened = await workspace.reopenSandbox(sandbox, sandbox.baseCommit);
    expect(readFileSync(join(reopened.root, 'installed'), 'utf8')).toBe('yes');
  });

  it('refuses a checkpoint that is not of the sandbox', async () => {
    const sandbox = await open();
    await expect(workspace.reopenSandbox(sandbox, '0'.repeat(40))).rejects.toMatchObject({
      reason: 'CHECKPOINT_NOT_FOUND',
    });
  });
});

describe('a repository that is gone or damaged', () => {
  const accidents: [string, () => void][] = [
    ['removed', () => rmSync(repository.path, { recursive: true })],
    ['without its objects', () => rmSync(join(repository.path, '.git/objects'), { recursive: true })],
    ['without the commit that the sandbox began with', () => emptyDirectory(join(repository.path, '.git/objects'))],
  ];

  it.each(accidents)('%s is named, whatever is asked of the sandbox', async (_, happen) => {
    const sandbox = await open();
    const [first = ''] = await exclaim(sandbox);
    happen();
    const missing = { reason: 'TARGET_MISSING', details: { branch: 'main' } };
    await expect(workspace.diff(liveRange(sandbox))).rejects.toMatchObject(missing);
    await expect(workspace.keepRef(sandbox)).rejects.toMatchObject(missing);
    await expect(workspace.reopenSandbox(sandbox, first)).rejects.toMatchObject(missing);
    const merge = { name: 'repo', sandboxId: 'P1', range: liveRange(sandbox), message: 'merge', author: ADA };
    await expect(workspace.merge(merge)).rejects.toMatchObject(missing);
  });

  it('does not stand in the way of removing the sandbox', async () => {
    const sandbox = await open();
    rmSync(repository.path, { recursive: true });
    await workspace.removeSandbox(sandbox);
    expect(existsSync(sandbox.root)).toBe(false);
  });
});

describe('checkpoint and reset', () => {
  it('records the user as author and the server as committer', async () => {
    const sandbox = await open();
    await exclaim(sandbox);
    expect(repository.git('log', '-1', '--format=%an <%ae>|%cn|%s', sandbox.planBranch)).toBe(
      'Ada Lovelace <ada@example.com>|CleverAgents Server|changelog',
    );
  });

  it('records nothing when nothing changed', async () => {
    const sandbox = await open();
    expect(await checkpoint(sandbox)).toBeNull();
    expect(await workspace.headOf(sandbox)).toBe(sandbox.baseCommit);
  });

  it('takes names and messages that a shell or an option parser would trip over', async () => {
    const sandbox = await open();
    const names = ['--force', 'a b', 'ünï', 'new\nline', '*', ':(top)x', '"quoted"'];
    for (const name of names) write(sandbox, name, name);
    await workspace.checkpoint(sandbox, { message: '-m "x" $(touch y)', author: { name: '<>', email: '\n' } });
    const { files } = await workspace.diff(liveRange(sandbox));
    expect(files.map(({ path }) => path).sort()).toEqual(names.sort());
    expect(repository.git('log', '-1', '--format=%an|%s', sandbox.planBranch)).toBe('unknown|-m "x" $(touch y)');
  });

  it('refuses a repository inside the sandbox, whose files it could not record, and cleans it away', async () => {
    const sandbox = await open();
    execFileSync('git', ['init', '--quiet', 'inner'], { cwd: sandbox.root });
    write(sandbox, 'inner/x', 'x');
    await expect(checkpoint(sandbox)).rejects.toMatchObject({ reason: 'CHECKPOINT_FAILED' });
    expect(await workspace.reset(sandbox, sandbox.baseCommit)).toEqual([{ path: 'inner/', action: 'removed' }]);
    execFileSync('git', ['init', '--quiet', 'inner'], { cwd: sandbox.root });
    write(sandbox, 'inner/x', 'x');
    const identity = ['-c', 'user.name=x', '-c', 'user.email=x@example.com'];
    execFileSync('git', ['add', 'x'], { cwd: join(sandbox.root, 'inner') });
    execFileSync('git', [...identity, 'commit', '--quiet', '-m', 'x'], { cwd: join(sandbox.root, 'inner') });
    await expect(checkpoint(sandbox)).rejects.toMatchObject({
      reason: 'NESTED_REPOSITORY',
      details: { paths: ['inner'] },
    });
    await workspace.reset(sandbox, sandbox.baseCommit);
    expect(existsSync(join(sandbox.root, 'inner'))).toBe(false);
    expect(await checkpoint(sandbox)).toBeNull();
  });

  it('removes added files and restores changed ones', async () => {
    const sandbox = await open();
    const [first = ''] = await exclaim(sandbox);
    write(sandbox, 'untracked', 'x');
    const expected = [
      { path: 'CHANGELOG.md', action: 'removed' },
      { path: 'test/greet.test.js', action: 'restored' },
      { path: 'untracked', action: 'removed' },
    ];
    expect(await workspace.previewReset(sandbox, first)).toEqual(expected);
    expect(existsSync(join(sandbox.root, 'CHANGELOG.md'))).toBe(true);
    expect(await workspace.reset(sandbox, first)).toEqual(expected);
    expect(existsSync(join(sandbox.root, 'CHANGELOG.md'))).toBe(false);
    expect(existsSync(join(sandbox.root, 'untracked'))).toBe(false);
    expect(readFileSync(join(sandbox.root, 'test/greet.test.js'), 'utf8')).toContain("'Hello, Ada')");
    expect(await workspace.headOf(sandbox)).toBe(first);
  });

  it('refuses a commit that is not of the sandbox', async () => {
    const sandbox = await open();
    const other = await open('P2');
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'unrelated');
    await expect(workspace.reset(sandbox, 'main')).rejects.toMatchObject({ reason: 'CHECKPOINT_NOT_FOUND' });
    await expect(workspace.reset(sandbox, 'f'.repeat(40))).rejects.toMatchObject({ reason: 'CHECKPOINT_NOT_FOUND' });
    expect(await workspace.reset(other, other.baseCommit)).toEqual([]);
  });

  it('stays on its own branch when a command in the sandbox switched to another', async () => {
    const sandbox = await open();
    execFileSync('git', ['checkout', '--quiet', '-b', 'elsewhere'], { cwd: sandbox.root });
    write(sandbox, 'x', 'x');
    const commit = await checkpoint(sandbox);
    expect(repository.head(sandbox.planBranch)).toBe(commit);
    expect(repository.head('elsewhere')).toBe(sandbox.baseCommit);
  });

  it('does not follow a .git file that a command in the sandbox has redirected', async () => {
    const sandbox = await open();
    const trap = SampleRepository.create();
    writeFileSync(join(sandbox.root, '.git'), `gitdir: ${join(trap.path, '.git')}\n`);
    write(sandbox, 'x', 'x');
    expect(repository.head(sandbox.planBranch)).toBe(sandbox.baseCommit);
    expect(await checkpoint(sandbox)).not.toBeNull();
    expect(trap.git('rev-list', '--count', '--all')).toBe('1');
    trap.remove();
  });

  it('runs no hook, monitor or signature program of the repository', async () => {
    const mark = join(home, 'ran');
    const hooks = [
      'pre-commit',
      'commit-msg',
      'post-commit',
      'post-checkout',
      'reference-transaction',
      'pre-merge-commit',
      'post-merge',
      'post-index-change',
      'post-rewrite',
    ];
    for (const hook of hooks) repository.addHook(hook, `#!/bin/sh\necho ${hook} >> ${mark}\nexit 1\n`);
    repository.addHook('monitor', `#!/bin/sh\necho monitor >> ${mark}\n`);
    repository.git('config', 'core.fsmonitor', '.git/hooks/monitor');
    repository.git('config', 'commit.gpgSign', 'true');
    const sandbox = await open();
    const [first = ''] = await exclaim(sandbox);
    await workspace.reset(sandbox, first);
    await workspace.merge({ name: 'r', sandboxId: 'P1', range: liveRange(sandbox), message: 'm', author: ADA });
    await workspace.keepRef(sandbox);
    await workspace.removeSandbox(sandbox);
    rmSync(join(repository.path, '.git/hooks'), { recursive: true });
    expect(existsSync(mark)).toBe(false);
  });

  it('leaves nothing but the kept commits when it is removed, twice', async () => {
    const sandbox = await open();
    await exclaim(sandbox);
    const before = await workspace.diff(liveRange(sandbox));
    await workspace.keepRef(sandbox);
    await workspace.removeSandbox(sandbox);
    await workspace.removeSandbox(sandbox);
    expect(existsSync(sandbox.root)).toBe(false);
    expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(repository.git('branch', '--list')).toBe('* main');
    expect(await workspace.diff(keptRange(sandbox))).toEqual(before);
    await expect(checkpoint(sandbox)).rejects.toMatchObject({ reason: 'SANDBOX_NOT_FOUND' });
  });
});
