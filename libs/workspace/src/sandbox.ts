/** Who a commit is by. The committer is always the server. */
export interface CommitAuthor {
  readonly name: string;
  readonly email: string;
}

/**
 * An isolated copy of one repository. A plain record of strings, so that its owner can store it and hand it back after
 * a restart; every path is absolute and real.
 */
export interface Sandbox {
  readonly id: string;
  readonly strategy: 'git_worktree';
  /** Directory that tools work in; never inside the repository. */
  readonly root: string;
  /** The repository that the sandbox was made from: top of a work tree, or a bare repository. */
  readonly repository: string;
  /** Git's private directory of this work tree. Named explicitly in every call: the `.git` file in `root` is not trusted. */
  readonly gitDir: string;
  readonly planBranch: string;
  /** Commit of the target branch that the sandbox started from. */
  readonly baseCommit: string;
  readonly targetBranch: string;
}

/**
 * What every kind of sandbox can do. Git adds diff and merge; a copied directory would answer the same four with an
 * archive per checkpoint.
 */
export interface SandboxStrategy<S extends { readonly id: string; readonly root: string }, Open> {
  /** Makes the sandbox, or finds the one that an earlier call with the same id made, whole or in part. */
  openSandbox(request: Open): Promise<S>;
  /** Records the present files; null when nothing changed since the last record. */
  checkpoint(sandbox: S, request: CheckpointRequest): Promise<string | null>;
  /** Brings the files back to a checkpoint, and says what that changed. */
  reset(sandbox: S, checkpoint: string): Promise<readonly RevertedPath[]>;
  removeSandbox(sandbox: S): Promise<void>;
}

export interface OpenSandboxRequest {
  /** Letters, digits, `-` and `_`. */
  readonly sandboxId: string;
  /** As configured; checked against the allowed roots again, since links may have moved. */
  readonly repository: string;
  /** Target branch; null = the branch that the repository is on. */
  readonly branch: string | null;
}

export interface CheckpointRequest {
  readonly message: string;
  readonly author: CommitAuthor;
}

export interface RevertedPath {
  readonly path: string;
  readonly action: 'restored' | 'removed';
}
