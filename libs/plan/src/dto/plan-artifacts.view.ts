import { IsArray, IsObject, IsOptional, IsString } from 'class-validator';
import { PlanHeadView } from './plan-head.view.js';
import type { PlanStatusView } from './plan-status.view.js';

export interface ArtifactView {
  readonly path: string;
  readonly type: 'write' | 'edit' | 'delete';
  /** `2.1 KB`, for people. */
  readonly size: string;
  readonly size_bytes: number;
  /** `+8 -2`, for people. */
  readonly change: string;
  /** The child plan that made it; null = the plan itself. */
  readonly child_plan: string | null;
  /** Hex; null when deleted. */
  readonly sha256: string | null;
  /** The repository that it lies in. */
  readonly resource: string;
}

/** Result of plan/artifacts. */
export class PlanArtifactsView extends PlanHeadView {
  @IsArray()
  artifacts: ArtifactView[];

  @IsObject()
  summary: { total: number; writes: number; edits: number; deletes: number; total_size: number };

  /** Number of artifacts by the plan that made them. */
  @IsObject()
  by_plan: Record<string, number>;

  @IsObject()
  validation_summary: PlanStatusView['validation'];

  /** null as long as the plan is not applied. */
  @IsOptional()
  @IsObject()
  apply_summary: { applied_at: string; commits: { resource: string; branch: string; commit: string }[] } | null;

  /** With `path`: the file, if it is UTF-8 text. */
  @IsOptional()
  @IsString()
  content?: string;

  /** With `path`: the file, if it is anything else. */
  @IsOptional()
  @IsString()
  content_base64?: string;

  @IsArray()
  @IsString({ each: true })
  warnings: string[];
}
