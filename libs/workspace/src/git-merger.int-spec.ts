import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BusinessRuleViolation, PlanError } from '@cleveragents/kernel';
import { SampleRepository } from '@cleveragents/testing';
import { liveRange } from './change-set.js';
import type { GitWorkspace } from './git-workspace.js';
import { MergeConflictError, type MergeRequest } from './merge.js';
import type { Sandbox } from './sandbox.js';
import { ADA, WorkspaceFixture } from './workspace.fixture.js';

// Each test starts dozens of processes, which a busy machine may take its time for.
vi.setConfig({ testTimeout: 60_000 });

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'keep.txt': 'keep\n' };
/** Edits two files, adds one in a new directory. */
const CHANGE = { 'a.txt': 'a changed\n', 'b.txt': 'b changed\n', 'new/c.txt': 'c\n' };

let fixture: WorkspaceFixture;
let repository: SampleRepository;
let sandbox: Sandbox;

beforeEach(async () => {
  fixture = new WorkspaceFixture();
  repository = SampleRepository.create(FILES);
  sandbox = await change(repository, 'P1', CHANGE);
});

afterEach(() => {
  repository.remove();
  fixture.remove();
});

async function change(on: SampleRepository, id: string, files: Record<string, string | null>): Promise<Sandbox> {
  const opened = await fixture.open(on.path, id);
  mkdirSync(join(opened.root, 'new'), { recursive: true });
  await fixture.step(opened, files);
  return opened;
}

function request(of: Sandbox = sandbox, overrides: Partial<MergeRequest> = {}): MergeRequest {
  return { name: `acme/${of.id}`, sandboxId: of.id, range: liveRange(of), message: 'Apply', author: ADA, ...overrides };
}

/** Everything that a user could notice: files, index, branch, and the directories left behind. */
function stateOf({ path, git }: { path: string; git: (...args: string[]) => string }): string {
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(({ parentPath, name }) => !join(parentPath, name).startsWith(join(path, '.git')))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return `${file} ${entry.isFile() ? createHash('sha256').update(readFileSync(file)).digest('hex') : 'other'}`;
    });
  return [...files.sort(), git('ls-files', '--stage'), git('status', '--porcelain'), git('rev-parse', 'HEAD')].join(
    '\n',
  );
}

function state(of = repository): string {
  return stateOf({ path: of.path, git: (...args) => of.git(...args) });
}

function journal(of = repository): string {
  return of.git('for-each-ref', 'refs/cleveragents-apply');
}

describe('merge', () => {
  it('makes a merge commit of two parents, by the user, committed by the server, and brings the work tree along', async () => {
    const previous = repository.head();
    const result = await fixture.workspace.merge(request(sandbox, { message: 'Apply it\n\nPlan: P1' }));
    expect(result).toEqual({ name: 'acme/P1', branch: 'main', commit: repository.head(), previous });
    expect(repository.git('log', '-1', '--format=%P|%an|%cn|%s|%b')).toBe(
      `${previous} ${repository.head(sandbox.planBranch)}|Ada Lovelace|CleverAgents Server|Apply it|Plan: P1`,
    );
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(readFileSync(join(repository.path, 'new/c.txt'), 'utf8')).toBe('c\n');
    expect(journal()).toBe('');
  });

  it('joins changes of the target that do not conflict, and keeps what the user has not committed elsewhere', async () => {
    repository.write({ 'other.txt': 'other\n' });
    repository.commit('elsewhere');
    repository.write({ 'keep.txt': 'draft\n', 'staged.txt': 's\n', 'untracked.txt': 'u\n' });
    repository.git('add', 'staged.txt');
    const status = repository.git('status', '--porcelain');
    await fixture.workspace.merge(request());
    expect(repository.git('status', '--porcelain')).toBe(status);
    expect(readFileSync(join(repository.path, 'keep.txt'), 'utf8')).toBe('draft\n');
    expect(repository.git('show', 'HEAD:other.txt')).toBe('other');
  });

  it('is not disturbed by a file that was only touched', async () => {
    utimesSync(join(repository.path, 'a.txt'), 1, 1);
    await fixture.workspace.merge(request());
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('moves a branch of a bare repository, and one that is checked out nowhere', async () => {
    const bare = repository.bareCopy();
    const inBare = await fixture.open(bare, 'P2');
    await fixture.step(inBare, { 'a.txt': 'bare\n' });
    const { commit } = await fixture.workspace.merge(request(inBare));
    expect(repository.git('--git-dir', bare, 'rev-parse', 'main')).toBe(commit);
    const before = state();
    repository.git('branch', 'release');
    await fixture.workspace.merge(request(sandbox, { targetBranch: 'release' }));
    expect(repository.git('show', 'release:a.txt')).toBe('a changed');
    expect(state()).toBe(before);
  });

  it('finds the target in a linked work tree', async () => {
    const linked = join(fixture.home, 'linked');
    repository.git('checkout', '--quiet', '--detach');
    repository.git('worktree', 'add', '--quiet', linked, 'main');
    await fixture.workspace.merge(request());
    expect(readFileSync(join(linked, 'a.txt'), 'utf8')).toBe('a changed\n');
    expect(repository.git('-C', linked, 'status', '--porcelain')).toBe('');
    expect(readFileSync(join(repository.path, 'a.txt'), 'utf8')).toBe('a\n');
  });

  it('carries deletions, renames, binaries and a file that takes the place of a directory', async () => {
    repository.write({ 'dir/x': 'x\n', 'dir/y': 'y\n' });
    repository.commit('a directory');
    const other = await fixture.open(repository.path, 'P2');
    rmSync(join(other.root, 'dir'), { recursive: true });
    await fixture.step(other, { dir: Buffer.from([0, 255]), 'b.txt': null, 'ü -\n.txt': 'b\n' });
    await fixture.workspace.merge(request(other));
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(readFileSync(join(repository.path, 'dir'))).toEqual(Buffer.from([0, 255]));
    expect(existsSync(join(repository.path, 'b.txt'))).toBe(false);
    expect(existsSync(join(repository.path, 'ü -\n.txt'))).toBe(true);
  });

  it('R04: applied twice it answers the first merge, and writes nothing', async () => {
    const first = await fixture.workspace.merge(request());
    const after = state();
    expect(await fixture.workspace.merge(request())).toEqual(first);
    repository.write({ 'later.txt': 'x' });
    repository.commit('later');
    expect(await fixture.workspace.merge(request())).toEqual(first);
    repository.git('reset', '--quiet', '--hard', 'HEAD^');
    expect(state()).toBe(after);
  });

  it('R04: two at once leave exactly one merge', async () => {
    const results = await Promise.allSettled([fixture.workspace.merge(request()), fixture.workspace.merge(request())]);
    const merged = results.filter(({ status }) => status === 'fulfilled');
    expect(merged.length).toBeGreaterThanOrEqual(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(BusinessRuleViolation);
    }
    expect(repository.git('rev-list', '--count', '--merges', 'main')).toBe('1');
    expect(repository.git('status', '--porcelain')).toBe('');
    await fixture.workspace.merge(request());
    expect(journal()).toBe('');
  });

  it('refuses what changes nothing, unless that is wanted', async () => {
    const idle = await fixture.open(repository.path, 'P2');
    await expect(fixture.workspace.merge(request(idle))).rejects.toMatchObject({ reason: 'EMPTY_CHANGESET' });
    const head = repository.head();
    expect(await fixture.workspace.merge(request(idle, { allowEmpty: true }))).toMatchObject({
      commit: head,
      previous: head,
    });
  });
});

describe('merge refused before anything is touched', () => {
  it('R04: names every file that the user has changed, staged, deleted or put in the way', async () => {
    rmSync(join(repository.path, 'b.txt'));
    repository.write({ 'a.txt': 'mine\n', 'new/c.txt': 'mine too\n', 'keep.txt': 'not in the way\n' });
    repository.git('add', 'a.txt');
    const before = state();
    await expect(fixture.workspace.merge(request())).rejects.toMatchObject({
      reason: 'TARGET_DIRTY',
      details: { files: ['a.txt', 'b.txt', 'new/c.txt'].map((path) => ({ resource: 'acme/P1', path })) },
    });
    expect(state()).toBe(before);
  });

  it.each([
    [
      'an ignored file',
      () => {
        repository.write({ '.git/info/exclude': 'new\n', 'new/c.txt': 'ignored\n' });
      },
    ],
    ['a file where a directory must be', () => repository.write({ new: 'file\n' })],
    ['a link where a directory must be', () => symlinkSync('/tmp', join(repository.path, 'new'))],
    ['a directory where a file must be', () => repository.write({ 'new/c.txt/x': 'x' })],
  ])('does not overwrite %s', async (_what, block) => {
    block();
    const before = state();
    await expect(fixture.workspace.merge(request())).rejects.toMatchObject({
      reason: 'TARGET_DIRTY',
      details: { files: [{ resource: 'acme/P1', path: 'new/c.txt' }] },
    });
    expect(state()).toBe(before);
  });

  it('names every conflicting path of every repository', async () => {
    const second = SampleRepository.create(FILES);
    const other = await change(second, 'P2', { 'keep.txt': 'theirs\n' });
    repository.write({ 'a.txt': 'ours\n', 'b.txt': 'ours\n' });
    repository.commit('conflicting');
    second.write({ 'keep.txt': 'ours\n' });
    second.commit('conflicting');
    const before = [state(), state(second)];
    const refusal = await fixture.workspace.mergeAll([request(), request(other)]).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(MergeConflictError);
    expect(refusal).toMatchObject({
      reason: 'MERGE_CONFLICT',
      conflicts: [
        { name: 'acme/P1', path: 'a.txt' },
        { name: 'acme/P1', path: 'b.txt' },
        { name: 'acme/P2', path: 'keep.txt' },
      ],
    });
    expect([state(), state(second)]).toEqual(before);
    second.remove();
  });

  it('holds to what was reviewed', async () => {
    const { changesetHash } = await fixture.workspace.diff(liveRange(sandbox));
    await fixture.step(sandbox, { 'a.txt': 'more\n' });
    const before = state();
    const stale = request(sandbox, { expectedChangeset: changesetHash });
    await expect(fixture.workspace.merge(stale)).rejects.toMatchObject({ reason: 'CHANGESET_MOVED' });
    const moved = request(sandbox, { expectedHead: 'f'.repeat(40) });
    await expect(fixture.workspace.merge(moved)).rejects.toMatchObject({ reason: 'TARGET_MOVED' });
    const gone = request(sandbox, { targetBranch: 'gone' });
    await expect(fixture.workspace.merge(gone)).rejects.toMatchObject({ reason: 'TARGET_MISSING' });
    expect(state()).toBe(before);
    const current = await fixture.workspace.diff(liveRange(sandbox));
    const held = request(sandbox, { expectedChangeset: current.changesetHash, expectedHead: repository.head() });
    expect((await fixture.workspace.merge(held)).commit).toBe(repository.head());
  });

  it('waits for no one: a branch that someone else holds, or a merge under way, is busy', async () => {
    const lock = join(repository.path, '.git/refs/heads/main.lock');
    writeFileSync(lock, '');
    const before = state();
    await expect(fixture.workspace.merge(request())).rejects.toMatchObject({ reason: 'TARGET_BUSY' });
    rmSync(lock);
    expect(state()).toBe(before);
    writeFileSync(join(repository.path, '.git/MERGE_HEAD'), `${repository.head()}\n`);
    await expect(fixture.workspace.merge(request())).rejects.toMatchObject({ reason: 'TARGET_BUSY' });
    rmSync(join(repository.path, '.git/MERGE_HEAD'));
    expect(journal()).toBe('');
    await fixture.workspace.merge(request());
  });

  it('refuses a name that is not UTF-8', async () => {
    const other = await fixture.open(repository.path, 'P2');
    writeFileSync(Buffer.concat([Buffer.from(`${other.root}/`), Buffer.from([0xff])]), 'x');
    await fixture.step(other, {});
    const before = state();
    await expect(fixture.workspace.merge(request(other))).rejects.toMatchObject({ reason: 'UNSUPPORTED_PATH' });
    expect(state()).toBe(before);
  });

  it('refuses a target that no longer holds the commit that the changes begin with', async () => {
    repository.git('commit', '--quiet', '--amend', '-m', 'first commit, written anew');
    const before = state();
    const rewritten = { reason: 'TARGET_REWRITTEN', details: { branch: 'main' } };
    await expect(fixture.workspace.merge(request())).rejects.toMatchObject(rewritten);
    repository.write({ 'keep.txt': 'more\n' });
    repository.commit('second');
    const other = await change(repository, 'P2', { 'a.txt': 'other\n' });
    repository.git('reset', '--quiet', '--hard', 'HEAD^');
    await expect(fixture.workspace.merge(request(other))).rejects.toMatchObject(rewritten);
    expect(state()).toBe(before);
  });

  it('refuses another branch that has no commit in common with the changes', async () => {
    repository.git('branch', 'other', repository.git('commit-tree', '-m', 'unrelated', 'HEAD^{tree}'));
    const unrelated = request(sandbox, { targetBranch: 'other' });
    await expect(fixture.workspace.merge(unrelated)).rejects.toMatchObject({ reason: 'UNRELATED_HISTORIES' });
  });

  it('is busy while another git has the index', async () => {
    const lock = join(repository.path, '.git/index.lock');
    writeFileSync(lock, '');
    const before = state();
    await expect(fixture.workspace.merge(request())).rejects.toMatchObject({ reason: 'TARGET_BUSY' });
    rmSync(lock);
    expect(state()).toBe(before);
    expect(journal()).toBe('');
  });

  it('refuses one target twice, and a target checked out where the server may not go', async () => {
    const other = await change(repository, 'P2', { 'keep.txt': 'x\n' });
    await expect(fixture.workspace.mergeAll([request(), request(other)])).rejects.toMatchObject({
      reason: 'INVALID_PARAMS',
    });
    repository.git('checkout', '--quiet', '--detach');
    repository.git('worktree', 'add', '--quiet', join(fixture.home, 'linked'), 'main');
    const confined = fixture.configured({ WORKSPACE_ROOTS: repository.path });
    await expect(confined.merge(request())).rejects.toMatchObject({ reason: 'TARGET_NOT_ALLOWED' });
  });
});

describe('merge that fails half-way', () => {
  /** Git LFS, the one filter that runs, fails on the new content of b.txt, after a.txt has been written. */
  function breakWriting(of: SampleRepository): GitWorkspace {
    for (const key of ['clean', 'smudge']) of.git('config', `filter.lfs.${key}`, 'cat');
    of.git('config', 'filter.lfs.required', 'true');
    of.write({ '.git/info/attributes': 'b.txt filter=lfs\n' });
    const failing = 'case "$1$content" in smudge*"b changed"*) exit 1;; esac';
    return fixture.withLfs(`content=$(cat); ${failing}; printf "%s\\n" "$content"`);
  }

  function mend(of: SampleRepository): void {
    of.git('config', '--remove-section', 'filter.lfs');
  }

  it('R04: leaves the tree as it was, names the file, and succeeds once the fault is gone', async () => {
    const workspace = breakWriting(repository);
    const before = state();
    const failure = await workspace.merge(request()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PlanError);
    expect(failure).toMatchObject({ reason: 'TARGET_WRITE_FAILED', details: { resource: 'acme/P1' } });
    expect(failure).toHaveProperty('details.files', expect.arrayContaining(['b.txt']));
    expect(state()).toBe(before);
    expect(journal()).toBe('');
    mend(repository);
    await workspace.merge(request());
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('takes the other repositories back as well', async () => {
    const first = SampleRepository.create(FILES);
    const other = await change(first, 'P2', { 'keep.txt': 'changed\n', 'a.txt': null, 'new/d.txt': 'd\n' });
    const workspace = breakWriting(repository);
    const before = [state(first), state()];
    const both = [request(other), request()];
    await expect(workspace.mergeAll(both)).rejects.toMatchObject({ reason: 'TARGET_WRITE_FAILED' });
    expect([state(first), state()]).toEqual(before);
    expect([journal(first), journal()]).toEqual(['', '']);
    mend(repository);
    const results = await workspace.mergeAll(both);
    expect(results.map(({ name }) => name)).toEqual(['acme/P2', 'acme/P1']);
    expect(first.git('status', '--porcelain')).toBe('');
    first.remove();
  });
});

describe('merge after a crash', () => {
  /** What a dead server leaves: the journal, and a work tree that is `bringAlong` so far along. */
  function crash(leave: (previous: string, merge: string) => void): { previous: string; merge: string } {
    const previous = repository.head();
    repository.git('merge', '--quiet', '--no-ff', '-m', 'crashed', sandbox.planBranch);
    const merge = repository.head();
    repository.git('reset', '--quiet', '--hard', previous);
    repository.git('update-ref', 'refs/cleveragents-apply/P1/main', merge);
    leave(previous, merge);
    return { previous, merge };
  }

  it.each([
    ['nothing written yet', () => undefined],
    [
      'every file written',
      (previous: string, merge: string) => void repository.git('read-tree', '-m', '-u', previous, merge),
    ],
    ['one file written', () => repository.write({ 'a.txt': CHANGE['a.txt'] })],
    ['one file taken away to be written', () => rmSync(join(repository.path, 'b.txt'))],
  ])('with %s starts again from a clean target', async (_what, leave) => {
    const { previous } = crash(leave);
    expect((await fixture.workspace.merge(request())).previous).toBe(previous);
    expect(repository.git('rev-list', '--count', '--merges', 'main')).toBe('1');
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(journal()).toBe('');
  });

  it('with the branch moved already answers that merge', async () => {
    const { merge } = crash((_previous, commit) => repository.git('reset', '--quiet', '--hard', commit));
    expect((await fixture.workspace.merge(request())).commit).toBe(merge);
    expect(journal()).toBe('');
  });

  it('keeps what the user has written since', async () => {
    crash(() => repository.write({ 'a.txt': 'of the user\n', 'b.txt': CHANGE['b.txt'] }));
    await expect(fixture.workspace.merge(request())).rejects.toMatchObject({
      reason: 'TARGET_DIRTY',
      details: { files: [{ resource: 'acme/P1', path: 'a.txt' }] },
    });
    expect(readFileSync(join(repository.path, 'a.txt'), 'utf8')).toBe('of the user\n');
  });
});

describe('revertMerge', () => {
  async function merged(): Promise<{ before: string; mergeCommit: string }> {
    const before = repository.git('rev-parse', 'HEAD^{tree}');
    return { before, mergeCommit: (await fixture.workspace.merge(request())).commit };
  }

  function revert(mergeCommit: string) {
    const { path } = repository;
    return fixture.workspace.revertMerge({
      name: 'acme/P1',
      sandboxId: 'P1',
      repository: path,
      branch: 'main',
      mergeCommit,
      message: 'Undo',
      author: ADA,
    });
  }

  it('restores the exact tree by a commit on top', async () => {
    const { before, mergeCommit } = await merged();
    const { commit, previous } = await revert(mergeCommit);
    expect(previous).toBe(mergeCommit);
    expect(repository.git('rev-parse', 'HEAD^{tree}')).toBe(before);
    expect(repository.git('log', '-1', '--format=%H %P %s')).toBe(`${commit} ${mergeCommit} Undo`);
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(existsSync(join(repository.path, 'new/c.txt'))).toBe(false);
  });

  it('keeps later work, and does nothing the second time', async () => {
    const { mergeCommit } = await merged();
    repository.write({ 'later.txt': 'x\n' });
    repository.commit('later');
    await revert(mergeCommit);
    expect(repository.git('show', 'HEAD:later.txt')).toBe('x');
    const head = repository.head();
    expect(await revert(mergeCommit)).toMatchObject({ commit: head, previous: head });
  });

  it('touches nothing when later work conflicts, or when the merge is not there', async () => {
    const { mergeCommit } = await merged();
    repository.write({ 'a.txt': 'built upon\n' });
    const head = repository.commit('later');
    const before = state();
    await expect(revert(mergeCommit)).rejects.toMatchObject({ conflicts: [{ name: 'acme/P1', path: 'a.txt' }] });
    await expect(revert(head)).rejects.toMatchObject({ reason: 'MERGE_NOT_FOUND' });
    expect(state()).toBe(before);
  });
});
