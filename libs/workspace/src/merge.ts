import { PlanError } from '@cleveragents/kernel';
import type { ChangeRange } from './change-set.js';
import type { CommitAuthor } from './sandbox.js';

export interface MergeRequest {
  /** Names the repository in results and errors, for example the resource: server paths never leave the server. */
  readonly name: string;
  /** Names the journal entry of this merge: one running merge per id. */
  readonly sandboxId: string;
  readonly range: ChangeRange;
  /** Default: the range's own target. */
  readonly targetBranch?: string;
  readonly message: string;
  readonly author: CommitAuthor;
  /** The target must still be at this commit; absent = wherever it is. */
  readonly expectedHead?: string;
  /** `changesetHash` of what was reviewed; absent = not checked. */
  readonly expectedChangeset?: string;
  /** Without it a range that changes nothing is refused. */
  readonly allowEmpty?: boolean;
}

export interface MergeResult {
  readonly name: string;
  readonly branch: string;
  /** The merge commit; equal to `previous` when there was nothing to merge. */
  readonly commit: string;
  readonly previous: string;
}

export interface RevertRequest {
  readonly name: string;
  readonly sandboxId: string;
  readonly repository: string;
  readonly branch: string;
  readonly mergeCommit: string;
  readonly message: string;
  readonly author: CommitAuthor;
}

export interface MergeConflict {
  readonly name: string;
  readonly path: string;
}

/** The target changed the same places. Nothing was touched; every conflicting path of every repository is named. */
export class MergeConflictError extends PlanError {
  static override readonly defaultReason: string = 'MERGE_CONFLICT';

  constructor(readonly conflicts: readonly MergeConflict[]) {
    super('The changes conflict with the target branch', {
      conflicts: conflicts.map(({ name, path }) => ({ resource: name, path })),
    });
  }
}
