import { createHash } from 'node:crypto';
import { ResourceNotFoundError } from '@cleveragents/kernel';
import type { BlobReader } from './blob-reader.js';
import type { Artifact, ChangedFile, ChangeRange, ChangeSet, DiffOptions } from './change-set.js';
import type { Git, GitPlace } from './git.js';
import { isSubmodule, parseRawAndNumstat, type LineCount, type RawChange } from './git-output.js';
import { filePatches } from './patch.js';
import { normalisePath } from './sandbox-path.js';

const DEFAULT_CONTEXT_LINES = 3;
const DEFAULT_PATCH_BYTES = 1024 * 1024;
const NO_LINES: LineCount = { insertions: 0, deletions: 0, isBinary: false };
/** Plumbing, so that no setting of the repository changes the output. */
const DIFF_TREE = ['diff-tree', '-r', '--no-ext-diff', '--no-textconv', '--no-color', '--full-index'];

/** The two ends of a range, found at this moment. */
export interface RangeEnds {
  readonly base: string;
  readonly head: string;
  /** Null when the target branch is gone. */
  readonly target: string | null;
  /** The target already contains the head. */
  readonly isMerged: boolean;
  /** Target and head have no commit in common. */
  readonly isUnrelated: boolean;
}

/** Describes what a range changes: as files, as a patch, as a hash to hold against later. */
export class ChangeReader {
  constructor(
    private readonly git: Git,
    private readonly blobs: BlobReader,
  ) {}

  async diff(range: ChangeRange, options: DiffOptions): Promise<ChangeSet> {
    const place = { cwd: range.repository };
    const ends = await this.endsOf(range);
    const paths = (options.paths ?? []).map((path) => normalisePath(path, 'paths')).filter((path) => path !== '');
    const [{ changes, counts }, { patch, isTruncated }, changesetHash] = await Promise.all([
      this.changes(place, ends, paths),
      this.patch(place, ends, paths, options),
      this.hash(place, ends),
    ]);
    const files = changes.map((change, index) => toChangedFile(change, counts[index]));
    return {
      files,
      filesChanged: files.length,
      insertions: files.reduce((sum, file) => sum + file.insertions, 0),
      deletions: files.reduce((sum, file) => sum + file.deletions, 0),
      patch,
      patches: filePatches(patch, changes),
      isTruncated,
      changesetHash,
      baseCommit: ends.base,
      headCommit: ends.head,
      hasTargetMoved: !ends.isMerged && ends.target !== ends.base,
    };
  }

  async artifacts(range: ChangeRange): Promise<readonly Artifact[]> {
    const place = { cwd: range.repository };
    const { changes } = await this.changes(place, await this.endsOf(range), []);
    const files = changes.map((change) => toChangedFile(change));
    const contents = await this.blobs.describe(
      place,
      files.flatMap(({ blob }) => (blob === null ? [] : [blob])),
    );
    return files.map(({ path, oldPath, status, blob }) => {
      const content = blob === null ? undefined : contents.get(blob);
      return {
        path,
        oldPath,
        status,
        type: status === 'added' ? 'write' : status === 'deleted' ? 'delete' : 'edit',
        sizeBytes: content?.sizeBytes ?? 0,
        sha256: content?.sha256 ?? null,
      };
    });
  }

  async changesetHash(range: ChangeRange): Promise<string> {
    return this.hash({ cwd: range.repository }, await this.endsOf(range));
  }

  /**
   * The base is where head and target part, as in `git diff target...head`. Once the target contains the head they no
   * longer part anywhere, and the recorded start of the range is the base.
   */
  async endsOf({ repository, targetBranch, baseCommit, head }: ChangeRange): Promise<RangeEnds> {
    const place = { cwd: repository };
    const headCommit = await this.git.resolve(place, head);
    if (headCommit === null) throw ResourceNotFoundError.of('ChangeSet', { branch: head.replace('refs/heads/', '') });
    const target = await this.git.resolve(place, `refs/heads/${targetBranch}`);
    if (target === null) return { base: baseCommit, head: headCommit, target, isMerged: false, isUnrelated: false };
    const { stdout } = await this.git.run(place, ['merge-base', target, headCommit], { accept: [0, 1] });
    const mergeBase = stdout.toString('utf8').trim();
    const isMerged = mergeBase === headCommit && headCommit !== baseCommit;
    const isUnrelated = mergeBase === '';
    const base = isMerged || isUnrelated ? baseCommit : mergeBase;
    return { base, head: headCommit, target, isMerged, isUnrelated };
  }

  private async changes(
    place: GitPlace,
    { base, head }: RangeEnds,
    paths: readonly string[],
  ): Promise<{ changes: RawChange[]; counts: LineCount[] }> {
    const args = [...DIFF_TREE, '-M', '-z', '--raw', '--numstat', base, head, '--', ...paths];
    return parseRawAndNumstat((await this.git.run(place, args)).stdout);
  }

  private async patch(
    place: GitPlace,
    { base, head }: RangeEnds,
    paths: readonly string[],
    { contextLines = DEFAULT_CONTEXT_LINES, maxBytes = DEFAULT_PATCH_BYTES }: DiffOptions,
  ): Promise<{ patch: string; isTruncated: boolean }> {
    const args = [...DIFF_TREE, '-M', '--patch', `--unified=${contextLines}`, base, head, '--', ...paths];
    const { stdout, isTruncated } = await this.git.run(place, args, { outputLimit: maxBytes, onOverflow: 'head' });
    const end = isTruncated ? stdout.lastIndexOf('\n') + 1 : stdout.length;
    return { patch: stdout.subarray(0, end).toString('utf8'), isTruncated };
  }

  /** Over git's raw records (modes, object ids, names), which hold the whole change and nothing else. */
  private async hash(place: GitPlace, { base, head }: RangeEnds): Promise<string> {
    const { stdout } = await this.git.run(place, [...DIFF_TREE, '--no-renames', '-z', '--raw', base, head, '--']);
    return `sha256:${createHash('sha256').update(`changeset 1\0${base}\0`).update(stdout).digest('hex')}`;
  }
}

function toChangedFile(change: RawChange, count: LineCount = NO_LINES): ChangedFile {
  return {
    path: change.path,
    oldPath: change.oldPath,
    status: change.status,
    insertions: count.insertions,
    deletions: count.deletions,
    isBinary: count.isBinary,
    blob: change.status === 'deleted' || isSubmodule(change) ? null : change.newObject,
  };
}
