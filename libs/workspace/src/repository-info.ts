export interface RepositoryInfo {
  /** Real path of the top directory. */
  readonly path: string;
  readonly isBare: boolean;
  /** Null when the head is detached. */
  readonly headBranch: string | null;
  /** Null when the repository has no commit yet. */
  readonly headCommit: string | null;
  /** Tracked files differ from the head, or untracked ones exist. Always false when bare. */
  readonly isDirty: boolean;
}
