import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  GitWorkspace,
  keptRange,
  liveRange,
  type ChangeRange,
  type ChangeSet,
  type DiffOptions,
} from '@cleveragents/workspace';
import { PlanRecordRepository } from './plan-record.repository.js';
import type { Changeset, PlanRow } from './plan.entity.js';
import { lastOf } from './sandbox-keeper.js';

/** What a plan changes, read from its checkpoints, or after apply from what was kept of it. */
@Injectable()
export class ChangesetReader {
  constructor(
    private readonly workspace: GitWorkspace,
    private readonly records: PlanRecordRepository,
  ) {}

  /** One per target, in their order; empty where there are no sandboxes, or no longer. */
  async read(plan: PlanRow, options: DiffOptions = {}): Promise<ChangeSet[]> {
    return Promise.all((await this.rangesOf(plan)).map((range) => this.workspace.diff(range, options)));
  }

  /** The commits behind `read`. The recorded checkpoint decides, not the sandbox, which may be ahead of it or behind. */
  async rangesOf(plan: PlanRow): Promise<ChangeRange[]> {
    if (plan.isCommitted || plan.applyOutcome !== null) return plan.sandboxes.map(keptRange);
    if (plan.isRebaseDue || !plan.isSandboxKept) return [];
    const checkpoints = await this.records.checkpointsOf(plan.id);
    return plan.sandboxes.map((sandbox, target) => {
      const range = liveRange(sandbox);
      return { ...range, head: lastOf(checkpoints, target)?.commit ?? range.head };
    });
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
