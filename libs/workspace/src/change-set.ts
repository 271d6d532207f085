import type { Sandbox } from './sandbox.js';

/** The commits between the start of a sandbox and its present (or kept) end. */
export interface ChangeRange {
  readonly repository: string;
  readonly targetBranch: string;
  readonly baseCommit: string;
  /** A commit id or a full ref name. */
  readonly head: string;
}

/** What a living sandbox has committed so far. */
export function liveRange(sandbox: Sandbox): ChangeRange {
  return { ...rangeOrigin(sandbox), head: `refs/heads/${sandbox.planBranch}` };
}

/** What `keepRef` has kept of a sandbox, after the sandbox itself is gone. */
export function keptRange(sandbox: Sandbox): ChangeRange {
  return { ...rangeOrigin(sandbox), head: keptRef(sandbox.id) };
}

export function keptRef(sandboxId: string): string {
  return `refs/cleveragents/${sandboxId}`;
}

function rangeOrigin({ repository, targetBranch, baseCommit }: Sandbox): Omit<ChangeRange, 'head'> {
  return { repository, targetBranch, baseCommit };
}

export type ChangeStatus = 'added' | 'modified' | 'deleted' | 'renamed';

export interface ChangedFile {
  readonly path: string;
  /** Set for renames only. */
  readonly oldPath: string | null;
  readonly status: ChangeStatus;
  /** 0 for binary files. */
  readonly insertions: number;
  readonly deletions: number;
  readonly isBinary: boolean;
  /** Object id of the new content; null when deleted, or when it is a submodule. */
  readonly blob: string | null;
}

export interface DiffHunk {
  /** Git's own header: `@@ -1,3 +1,4 @@ function greet`. */
  readonly range: string;
  /** Changed lines with their marker, context lines included, as git printed them. */
  readonly lines: readonly string[];
  readonly insertions: readonly string[];
  readonly deletions: readonly string[];
}

export interface FilePatch {
  readonly file: string;
  readonly hunks: readonly DiffHunk[];
}

export interface DiffOptions {
  /** 0..20, default 3. */
  readonly contextLines?: number;
  /** Literal paths, files or directories; empty = all. */
  readonly paths?: readonly string[];
  /** Bound of the patch text, default 1 MiB. */
  readonly maxBytes?: number;
}

export interface ChangeSet {
  readonly files: readonly ChangedFile[];
  readonly filesChanged: number;
  readonly insertions: number;
  readonly deletions: number;
  /** The whole unified patch, cut at a line when `isTruncated`. */
  readonly patch: string;
  readonly patches: readonly FilePatch[];
  readonly isTruncated: boolean;
  /** `sha256:` + hex over base and every path with modes and object ids; independent of the options. */
  readonly changesetHash: string;
  readonly baseCommit: string;
  readonly headCommit: string;
  /** The target branch has commits that the range does not know. */
  readonly hasTargetMoved: boolean;
}

export interface Artifact {
  readonly path: string;
  readonly oldPath: string | null;
  readonly type: 'write' | 'edit' | 'delete';
  readonly status: ChangeStatus;
  /** 0 when deleted. */
  readonly sizeBytes: number;
  /** Hex; null when deleted. */
  readonly sha256: string | null;
}

export interface FileContent {
  readonly content: Buffer;
  readonly sizeBytes: number;
  /** Hex, of the whole content. */
  readonly sha256: string;
}
