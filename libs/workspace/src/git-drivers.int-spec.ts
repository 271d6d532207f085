import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SampleRepository } from '@cleveragents/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keptRange } from './change-set.js';
import type { GitWorkspace } from './git-workspace.js';
import { ADA, WorkspaceFixture } from './workspace.fixture.js';

// Each test starts dozens of processes, which a busy machine may take its time for.
vi.setConfig({ testTimeout: 60_000 });

let fixture: WorkspaceFixture;
let repository: SampleRepository;
let mark: string;

beforeEach(() => {
  fixture = new WorkspaceFixture();
  repository = SampleRepository.create();
  mark = join(fixture.home, 'called');
});

afterEach(() => {
  repository.remove();
  fixture.remove();
});

/** Runs a whole plan: sandbox, checkpoint, reset, merge into the checked-out target. */
async function runThrough(workspace: GitWorkspace, path: string, content: string): Promise<void> {
  await workspace.inspect(repository.path);
  const sandbox = await workspace.openSandbox({ sandboxId: 'P1', repository: repository.path, branch: 'main' });
  writeFileSync(join(sandbox.root, path), content);
  const commit = await workspace.checkpoint(sandbox, { message: 'step', author: ADA });
  if (commit === null) throw new Error('no checkpoint');
  await workspace.reset(sandbox, commit);
  await workspace.keepRef(sandbox);
  const merge = { name: 'repo', sandboxId: sandbox.id, range: keptRange(sandbox), message: 'merge', author: ADA };
  await workspace.merge(merge);
}

describe('programs that a repository configures for its files', () => {
  it.each(['clean', 'smudge', 'process'])(
    'filter.*.%s is never run, and the content is taken as it is',
    async (key) => {
      repository.write({ '.gitattributes': '*.md filter=evil=name\n' });
      repository.commit('attributes');
      repository.git('config', 'filter.evil=name.required', 'true');
      repository.git('config', `filter.evil=name.${key}`, `touch ${mark}; cat`);
      await runThrough(fixture.workspace, 'README.md', '# changed\n');
      expect(existsSync(mark)).toBe(false);
      expect(readFileSync(join(repository.path, 'README.md'), 'utf8')).toBe('# changed\n');
    },
  );

  it('a filter that a command in the sandbox has configured is not run either', async () => {
    const sandbox = await fixture.open(repository.path);
    writeFileSync(join(sandbox.root, '.gitattributes'), '* filter=late\n');
    repository.git('config', 'filter.late.clean', `touch ${mark}; cat`);
    await fixture.step(sandbox, { 'README.md': '# changed\n' });
    expect(existsSync(mark)).toBe(false);
  });

  it('merge.*.driver is never run: both changes are merged as text', async () => {
    repository.write({ '.gitattributes': '*.txt merge=evil\n', 'list.txt': 'a\nb\nc\nd\ne\n' });
    repository.commit('list');
    const sandbox = await fixture.open(repository.path);
    await fixture.step(sandbox, { 'list.txt': 'A\nb\nc\nd\ne\n' });
    repository.write({ 'list.txt': 'a\nb\nc\nd\nE\n' });
    repository.commit('the other end');
    repository.git('config', 'merge.evil.driver', `touch ${mark}; true`);
    await fixture.workspace.keepRef(sandbox);
    const request = { name: 'repo', sandboxId: 'P1', range: keptRange(sandbox), message: 'merge', author: ADA };
    await fixture.workspace.merge(request);
    expect(existsSync(mark)).toBe(false);
    expect(readFileSync(join(repository.path, 'list.txt'), 'utf8')).toBe('A\nb\nc\nd\nE\n');
  });

  it('Git LFS runs where it is installed, by its own command line', async () => {
    const workspace = fixture.withLfs('case "$1" in clean) echo pointer;; smudge) echo large;; *) exit 1;; esac');
    repository.write({ '.gitattributes': '*.bin filter=lfs\n' });
    repository.commit('attributes');
    repository.git('config', 'filter.lfs.clean', `touch ${mark}; cat`);
    repository.git('config', 'filter.lfs.smudge', `touch ${mark}; cat`);
    await runThrough(workspace, 'a.bin', 'large\n');
    expect(existsSync(mark)).toBe(false);
    expect(repository.git('show', 'main:a.bin')).toBe('pointer');
    expect(readFileSync(join(repository.path, 'a.bin'), 'utf8')).toBe('large\n');
  });
});
