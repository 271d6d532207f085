import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { GitWorkspace, keptRange, liveRange, type ChangeSet, type DiffOptions } from '@cleveragents/workspace';
import type { Changeset, PlanRow } from './plan.entity.js';

/** What a plan changes, read from its branch, or after apply from what was kept of it. */
@Injectable()
export class ChangesetReader {
  constructor(private readonly workspace: GitWorkspace) {}

  /** One per target, in their order; empty where there are no sandboxes, or no longer. */
  async read(plan: PlanRow, options: DiffOptions = {}): Promise<ChangeSet[]> {
    const isKept = plan.isCommitted || plan.applyOutcome !== null;
    if (!isKept && (plan.isRebaseDue || !plan.isSandboxKept)) return [];
    const rangeOf = isKept ? keptRange : liveRange;
    return Promise.all(plan.sandboxes.map((sandbox) => this.workspace.diff(rangeOf(sandbox), options)));
  }

  freeze(changes: readonly ChangeSet[]): Changeset {
    const targets = changes.map((change) => change.changesetHash);
    return {
      hash: combinedHash(targets),
      targets,
      files: changes.flatMap((change) => change.files.map(({ path }) => path)),
      insertions: changes.reduce((total, change) => total + change.insertions, 0),
      deletions: changes.reduce((total, change) => total + change.deletions, 0),
    };
  }
}

/** With one target the hash is that target's own, so that it can be checked against git alone. */
function combinedHash(hashes: readonly string[]): string {
  const [first = ''] = hashes;
  if (hashes.length === 1) return first;
  return `sha256:${createHash('sha256').update(hashes.join('\n')).digest('hex')}`;
}
