import { Injectable } from '@nestjs/common';
import { ResourceNotFoundError } from '@cleveragents/kernel';
import { GitWorkspace, type ChangedFile, type ChangeSet } from '@cleveragents/workspace';
import type { ComparedFileView, DiffPlanView } from './dto/diff-plan.view.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import type { PlanRow } from './plan.entity.js';

export type ComparisonView = Required<Pick<DiffPlanView, 'comparison' | 'summary'>>;

/** Holds what a plan changed before a correction against what it changes now, file by file. */
@Injectable()
export class CorrectionComparison {
  constructor(
    private readonly workspace: GitWorkspace,
    private readonly records: PlanRecordRepository,
  ) {}

  async compare(plan: PlanRow, correctionId: string, now: readonly ChangeSet[]): Promise<ComparisonView> {
    const decisions = await this.records.decisionsOf(plan.id);
    const correction = decisions.find((decision) => decision.correction?.id === correctionId)?.correction;
    if (correction === undefined || correction === null) {
      throw ResourceNotFoundError.of('Correction', { correction_id: correctionId });
    }
    const { mode, archived } = correction;
    // Adding archives nothing: what was there is still there.
    const before = await Promise.all(archived.map((range) => this.workspace.diff(range, { maxBytes: 1 })));
    const comparison = compareFiles(mode === 'append' ? now : before, now);
    const count = (verdict: ComparedFileView['verdict']): number =>
      comparison.filter((file) => file.verdict === verdict).length;
    const figures = {
      added: count('added'),
      removed: count('removed'),
      changed: count('changed'),
      same: count('same'),
    };
    return { comparison, summary: { correction_id: correctionId, ...figures } };
  }
}

/** Per target, because two repositories may have files of the same name. */
function compareFiles(before: readonly ChangeSet[], after: readonly ChangeSet[]): ComparedFileView[] {
  const targets = Array.from({ length: Math.max(before.length, after.length) });
  return targets.flatMap((_, target) => {
    const old = byPath(before[target]);
    const present = byPath(after[target]);
    const paths = [...new Set([...old.keys(), ...present.keys()])].sort();
    return paths.map((path) => compared(path, old.get(path), present.get(path)));
  });
}

function byPath(changes: ChangeSet | undefined): Map<string, ChangedFile> {
  return new Map((changes?.files ?? []).map((file) => [file.path, file]));
}

function compared(path: string, before: ChangedFile | undefined, after: ChangedFile | undefined): ComparedFileView {
  return { path, verdict: verdictOf(before, after), before: changeOf(before), after: changeOf(after) };
}

function verdictOf(before: ChangedFile | undefined, after: ChangedFile | undefined): ComparedFileView['verdict'] {
  if (before === undefined) return 'added';
  if (after === undefined) return 'removed';
  return before.blob === after.blob && before.status === after.status ? 'same' : 'changed';
}

function changeOf(file: ChangedFile | undefined): string | null {
  return file === undefined ? null : `+${file.insertions} -${file.deletions}`;
}
