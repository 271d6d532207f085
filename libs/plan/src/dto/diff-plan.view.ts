import { IsArray, IsBoolean, IsObject, IsOptional, IsString } from 'class-validator';
import type { ChangedFile, ChangeSet, DiffHunk, FilePatch } from '@cleveragents/workspace';
import type { PlanRow } from '../plan.entity.js';
import { PlanHeadView, toPlanHead } from './plan-head.view.js';

export interface ChangedFileView {
  readonly path: string;
  /** `+8 -2`, for people. */
  readonly change: string;
  readonly status: string;
  readonly insertions: number;
  readonly deletions: number;
  readonly old_path?: string;
  readonly binary?: true;
}

export interface FilePatchView {
  readonly file: string;
  readonly hunks: { range: string; deletions: string[]; insertions: string[]; lines: string[] }[];
}

export interface ComparedFileView {
  readonly path: string;
  /** What the correction made of the change: `added` means that there was none before. */
  readonly verdict: 'added' | 'removed' | 'changed' | 'same';
  /** `+8 -2`, for people; null = the file was, or is, not changed. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Result of plan/diff. */
export class DiffPlanView extends PlanHeadView {
  @IsObject()
  diff_summary: {
    plan: string;
    project: string;
    files_changed: number;
    insertions: number;
    deletions: number;
    net_change: number;
  };

  @IsArray()
  files: ChangedFileView[];

  @IsArray()
  patch_preview: FilePatchView[];

  /** `unknown` unless a validation reports it: nothing is guessed. */
  @IsObject()
  risk_assessment: { api_compatibility: string; test_coverage: string; breaking_changes: string };

  @IsOptional()
  @IsString()
  changeset_hash: string | null;

  /** With format `unified`. */
  @IsOptional()
  @IsString()
  patch?: string;

  @IsBoolean()
  truncated: boolean;

  @IsOptional()
  @IsString()
  base_commit: string | null;

  @IsBoolean()
  target_moved: boolean;

  /** With `correction_id`: every file that was changed before, is changed now, or both. */
  @IsOptional()
  @IsArray()
  comparison?: ComparedFileView[];

  /** With `correction_id`: the figures of the comparison. */
  @IsOptional()
  @IsObject()
  summary?: { correction_id: string; added: number; removed: number; changed: number; same: number };

  @IsArray()
  @IsString({ each: true })
  warnings: string[];
}

const NOTHING_KNOWN = { api_compatibility: 'unknown', test_coverage: 'unknown', breaking_changes: 'unknown' };

export function toDiffPlanView(
  plan: PlanRow,
  changes: readonly ChangeSet[],
  { hash, isUnified }: { readonly hash: string | null; readonly isUnified: boolean },
): DiffPlanView {
  const files = changes.flatMap((change) => change.files.map(toFileView));
  const insertions = total(changes.map((change) => change.insertions));
  const deletions = total(changes.map((change) => change.deletions));
  const figures = { files_changed: files.length, insertions, deletions, net_change: insertions - deletions };
  return {
    ...toPlanHead(plan),
    diff_summary: { plan: plan.id, project: plan.project, ...figures },
    files,
    patch_preview: changes.flatMap((change) => change.patches.map(toPatchView)),
    risk_assessment: NOTHING_KNOWN,
    changeset_hash: hash,
    ...(isUnified ? { patch: changes.map((change) => change.patch).join('') } : {}),
    truncated: changes.some((change) => change.isTruncated),
    base_commit: changes[0]?.baseCommit ?? null,
    target_moved: changes.some((change) => change.hasTargetMoved),
    warnings: changes.length === 0 ? [noChangesWarning(plan)] : [],
  };
}

export function noChangesWarning({ sandboxes }: PlanRow): string {
  return sandboxes.length === 0 ? 'Nothing has been carried out yet' : 'The sandbox is not there any more';
}

function toFileView({ path, status, insertions, deletions, oldPath, isBinary }: ChangedFile): ChangedFileView {
  return {
    path,
    change: `+${insertions} -${deletions}`,
    status,
    insertions,
    deletions,
    ...(oldPath === null ? {} : { old_path: oldPath }),
    ...(isBinary ? { binary: true } : {}),
  };
}

function toPatchView({ file, hunks }: FilePatch): FilePatchView {
  return { file, hunks: hunks.map(toHunkView) };
}

function toHunkView({ range, deletions, insertions, lines }: DiffHunk): FilePatchView['hunks'][number] {
  return { range, deletions: [...deletions], insertions: [...insertions], lines: [...lines] };
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, next) => sum + next, 0);
}
