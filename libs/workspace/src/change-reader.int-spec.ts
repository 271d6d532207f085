import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SampleRepository } from '@cleveragents/testing';
import { keptRange, liveRange } from './change-set.js';
import type { Sandbox } from './sandbox.js';
import { ADA, WorkspaceFixture } from './workspace.fixture.js';

// Each test starts dozens of processes, which a busy machine may take its time for.
vi.setConfig({ testTimeout: 60_000 });

let fixture: WorkspaceFixture;
let repository: SampleRepository;
let sandbox: Sandbox;

beforeEach(async () => {
  fixture = new WorkspaceFixture();
  repository = SampleRepository.create();
  sandbox = await fixture.open(repository.path);
});

afterEach(() => {
  repository.remove();
  fixture.remove();
});

describe('diff', () => {
  it('counts the example as 3 files, 5 insertions and 2 deletions', async () => {
    await fixture.exclaim(sandbox);
    const changeSet = await fixture.workspace.diff(liveRange(sandbox));
    expect(changeSet).toMatchObject({
      filesChanged: 3,
      insertions: 5,
      deletions: 2,
      isTruncated: false,
      hasTargetMoved: false,
      baseCommit: repository.head(),
    });
    expect(
      changeSet.files.map(({ path, status, insertions, deletions }) => [path, status, insertions, deletions]),
    ).toEqual([
      ['CHANGELOG.md', 'added', 3, 0],
      ['src/greet.js', 'modified', 1, 1],
      ['test/greet.test.js', 'modified', 1, 1],
    ]);
    expect(changeSet.patches[1]).toEqual({
      file: 'src/greet.js',
      hunks: [
        {
          range: '@@ -1,3 +1,3 @@',
          lines: [
            ' export function greet(name) {',
            "-  return 'Hello, ' + name;",
            "+  return 'Hello, ' + name + '!';",
            ' }',
          ],
          insertions: ["  return 'Hello, ' + name + '!';"],
          deletions: ["  return 'Hello, ' + name;"],
        },
      ],
    });
  });

  it('is empty, not an error, before the first checkpoint', async () => {
    expect(await fixture.workspace.diff(liveRange(sandbox))).toMatchObject({ files: [], patch: '', patches: [] });
  });

  it('tells renames, binaries, mode and type changes, and files without a final line end apart', async () => {
    mkdirSync(join(sandbox.root, 'lib'));
    chmodSync(join(sandbox.root, 'package.json'), 0o755);
    rmSync(join(sandbox.root, 'test/greet.test.js'));
    symlinkSync('../src', join(sandbox.root, 'test/greet.test.js'));
    const greet = "export function greet(name) {\n  return 'Hello, ' + name;\n}\n";
    await fixture.step(sandbox, {
      'src/greet.js': null,
      'lib/ü b.js': greet,
      'README.md': '# api',
      image: Buffer.from([0, 1, 2]),
      'new\nline "quoted".txt': '--- minus\n+++ plus\ndiff --git a/x b/x\n',
    });
    const { files, patches } = await fixture.workspace.diff(liveRange(sandbox));
    expect(files.map(({ path, oldPath, status, isBinary }) => ({ path, oldPath, status, isBinary }))).toEqual([
      { path: 'README.md', oldPath: null, status: 'modified', isBinary: false },
      { path: 'image', oldPath: null, status: 'added', isBinary: true },
      { path: 'lib/ü b.js', oldPath: 'src/greet.js', status: 'renamed', isBinary: false },
      { path: 'new\nline "quoted".txt', oldPath: null, status: 'added', isBinary: false },
      { path: 'package.json', oldPath: null, status: 'modified', isBinary: false },
      { path: 'test/greet.test.js', oldPath: null, status: 'modified', isBinary: false },
    ]);
    expect(patches.map(({ file }) => file)).toEqual(files.map(({ path }) => path));
    expect(patches[0]?.hunks[0]).toMatchObject({ insertions: ['# api'], deletions: ['# api'] });
    expect(patches[3]?.hunks[0]?.insertions).toEqual(['--- minus', '+++ plus', 'diff --git a/x b/x']);
    expect(patches[5]?.hunks.map(({ insertions, deletions }) => [insertions.length, deletions.length])).toEqual([
      [0, 7],
      [1, 0],
    ]);
  });

  it('takes paths as names, bounds the patch and widens the context', async () => {
    await fixture.exclaim(sandbox);
    await fixture.step(sandbox, { '*': 'star\n' });
    const diff = (options: object) => fixture.workspace.diff(liveRange(sandbox), options);
    expect((await diff({ paths: ['*'] })).files.map(({ path }) => path)).toEqual(['*']);
    expect((await diff({ paths: ['src', 'test/'] })).filesChanged).toBe(2);
    expect((await diff({ contextLines: 0, paths: ['src'] })).patches[0]?.hunks[0]?.lines).toHaveLength(2);
    const cut = await diff({ maxBytes: 300 });
    expect(cut).toMatchObject({ isTruncated: true, filesChanged: 4 });
    expect(Buffer.byteLength(cut.patch)).toBeLessThanOrEqual(300);
    expect(cut.patch.endsWith('\n')).toBe(true);
    expect(cut.changesetHash).toBe((await diff({})).changesetHash);
    await expect(diff({ paths: ['../x'] })).rejects.toMatchObject({ reason: 'PATH_OUTSIDE_SANDBOX' });
  });

  it('ignores what the repository configures about diffs', async () => {
    await fixture.exclaim(sandbox);
    const plain = await fixture.workspace.diff(liveRange(sandbox));
    for (const [key, value] of Object.entries({
      noprefix: 'true',
      external: 'false',
      renames: 'false',
      mnemonicPrefix: 'true',
    })) {
      repository.git('config', `diff.${key}`, value);
    }
    repository.git('config', 'color.ui', 'always');
    expect(await fixture.workspace.diff(liveRange(sandbox))).toEqual(plain);
  });

  it('compares with where the branches part, and says that the target has moved', async () => {
    await fixture.exclaim(sandbox);
    const before = await fixture.workspace.diff(liveRange(sandbox));
    repository.write({ 'other.txt': 'x' });
    repository.commit('elsewhere');
    expect(await fixture.workspace.diff(liveRange(sandbox))).toEqual({ ...before, hasTargetMoved: true });
  });

  it('is the same after the merge, from the kept commits', async () => {
    await fixture.exclaim(sandbox);
    const before = await fixture.workspace.diff(liveRange(sandbox));
    await fixture.workspace.keepRef(sandbox);
    const range = liveRange(sandbox);
    await fixture.workspace.merge({ name: 'api', sandboxId: 'P1', range, message: 'm', author: ADA });
    await fixture.workspace.removeSandbox(sandbox);
    expect(await fixture.workspace.diff(keptRange(sandbox))).toEqual(before);
    await expect(fixture.workspace.diff(liveRange(sandbox))).rejects.toMatchObject({ reason: 'CHANGE_SET_NOT_FOUND' });
  });

  it('gives equal hashes to equal changes only', async () => {
    const twin = await fixture.open(repository.path, 'P2');
    await fixture.step(sandbox, { a: '1', b: '2' });
    await fixture.step(twin, { a: '1' });
    const hashOf = async (one: Sandbox) => (await fixture.workspace.diff(liveRange(one))).changesetHash;
    expect(await hashOf(sandbox)).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await hashOf(sandbox)).not.toBe(await hashOf(twin));
    await fixture.step(twin, { b: '2' });
    expect(await hashOf(sandbox)).toBe(await hashOf(twin));
    chmodSync(join(twin.root, 'b'), 0o755);
    await fixture.step(twin, {});
    expect(await hashOf(sandbox)).not.toBe(await hashOf(twin));
  });
});

describe('artifacts and contents', () => {
  const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

  it('name every changed file with type, size and sha256', async () => {
    const image = Buffer.from([0, 255, 10, 0]);
    const large = Buffer.alloc(17 * 1024 * 1024, 'x');
    await fixture.step(sandbox, { 'README.md': null, image, large, 'src/greet.js': 'x\n', empty: '' });
    expect(await fixture.workspace.artifacts(liveRange(sandbox))).toEqual([
      { path: 'README.md', oldPath: null, status: 'deleted', type: 'delete', sizeBytes: 0, sha256: null },
      { path: 'empty', oldPath: null, status: 'added', type: 'write', sizeBytes: 0, sha256: sha256('') },
      { path: 'image', oldPath: null, status: 'added', type: 'write', sizeBytes: 4, sha256: sha256(image) },
      { path: 'large', oldPath: null, status: 'added', type: 'write', sizeBytes: large.length, sha256: sha256(large) },
      { path: 'src/greet.js', oldPath: null, status: 'modified', type: 'edit', sizeBytes: 2, sha256: sha256('x\n') },
    ]);
  });

  it('are read at any revision, within a bound', async () => {
    await fixture.step(sandbox, { '-x': 'new\n' });
    const read = (revision: string, path: string, maxBytes?: number) =>
      fixture.workspace.readFile(repository.path, revision, path, maxBytes);
    const head = liveRange(sandbox).head;
    expect(await read(head, '-x')).toEqual({ content: Buffer.from('new\n'), sizeBytes: 4, sha256: sha256('new\n') });
    expect(await read('refs/heads/main', '-x')).toBeNull();
    expect(await read(head, 'src')).toBeNull();
    await expect(read(head, '-x', 3)).rejects.toMatchObject({ reason: 'FILE_TOO_LARGE' });
  });
});
