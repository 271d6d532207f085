import { isUtf8 } from 'node:buffer';
import { Injectable } from '@nestjs/common';
import { ResourceNotFoundError } from '@cleveragents/kernel';
import { GitWorkspace, type Artifact, type ChangeRange, type ChangeSet } from '@cleveragents/workspace';
import { ChangesetReader } from './changeset-reader.js';
import { noChangesWarning } from './dto/diff-plan.view.js';
import type { PlanArtifactsParams } from './dto/plan-artifacts.params.js';
import type { ArtifactView, PlanArtifactsView } from './dto/plan-artifacts.view.js';
import { toPlanHead } from './dto/plan-head.view.js';
import { validationFigures } from './plan-figures.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import { PlanRepository } from './plan.repository.js';
import type { PlanRow } from './plan.entity.js';

/** A changed file with the range of commits that it is read from. */
interface Located {
  readonly view: ArtifactView;
  readonly range: ChangeRange;
}

type Content = Pick<PlanArtifactsView, 'content' | 'content_base64'> & { readonly warnings: string[] };

/** The files that a plan changed, one by one. */
@Injectable()
export class PlanArtifacts {
  constructor(
    private readonly workspace: GitWorkspace,
    private readonly changesets: ChangesetReader,
    private readonly plans: PlanRepository,
    private readonly records: PlanRecordRepository,
  ) {}

  async list(plan: PlanRow, { path }: PlanArtifactsParams): Promise<PlanArtifactsView> {
    const all = await this.locate(plan);
    const shown = path === undefined ? all : all.filter(({ view }) => view.path === path);
    const content = path === undefined ? { warnings: [] } : await this.contentOf(shown, path);
    const nothing = all.length === 0 ? [noChangesWarning(plan)] : [];
    return {
      ...toPlanHead(plan),
      artifacts: shown.map(({ view }) => view),
      summary: summaryOf(all.map(({ view }) => view)),
      by_plan: { root: all.length },
      validation_summary: validationFigures(await this.records.validationsOf(plan.id)),
      apply_summary: applySummary(plan),
      ...content,
      warnings: [...nothing, ...content.warnings],
    };
  }

  private async locate(plan: PlanRow): Promise<Located[]> {
    const { targets } = await this.plans.snapshotOf(plan.id);
    const ranges = await this.changesets.rangesOf(plan);
    const located = ranges.map(async (range, index) => {
      const resource = targets[index]?.resource ?? '';
      const changes = await this.workspace.diff(range, { maxBytes: 1 });
      const artifacts = await this.workspace.artifacts(range);
      return artifacts.map((artifact) => ({ range, view: artifactView(artifact, changes, resource) }));
    });
    return (await Promise.all(located)).flat();
  }

  private async contentOf([first, ...others]: readonly Located[], path: string): Promise<Content> {
    if (first === undefined) throw ResourceNotFoundError.of('Artifact', { path });
    if (first.view.type === 'delete') return { warnings: ['The file is deleted: it has no content'] };
    const { repository, head } = first.range;
    const file = await this.workspace.readFile(repository, head, path);
    if (file === null) throw ResourceNotFoundError.of('Artifact', { path });
    const isText = isUtf8(file.content) && !file.content.includes(0);
    const content = isText
      ? { content: file.content.toString('utf8') }
      : { content_base64: file.content.toString('base64') };
    const { resource } = first.view;
    return { ...content, warnings: others.length === 0 ? [] : [`Of several files the one of ${resource} is shown`] };
  }
}

function artifactView({ path, type, sizeBytes, sha256 }: Artifact, changes: ChangeSet, resource: string): ArtifactView {
  const file = changes.files.find((candidate) => candidate.path === path);
  const change = `+${file?.insertions ?? 0} -${file?.deletions ?? 0}`;
  return { path, type, size: sizeText(sizeBytes), size_bytes: sizeBytes, change, child_plan: null, sha256, resource };
}

function summaryOf(views: readonly ArtifactView[]): PlanArtifactsView['summary'] {
  const count = (type: ArtifactView['type']): number => views.filter((view) => view.type === type).length;
  return {
    total: views.length,
    writes: count('write'),
    edits: count('edit'),
    deletes: count('delete'),
    total_size: views.reduce((total, view) => total + view.size_bytes, 0),
  };
}

function applySummary({ applyOutcome }: PlanRow): PlanArtifactsView['apply_summary'] {
  if (applyOutcome === null) return null;
  const commits = applyOutcome.merges.map(({ name, branch, commit }) => ({ resource: name, branch, commit }));
  return { applied_at: applyOutcome.appliedAt, commits };
}

const KILO = 1000;
const UNITS = ['KB', 'MB', 'GB'];

function sizeText(bytes: number): string {
  if (bytes < KILO) return `${bytes} B`;
  const power = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / KILO ** power).toFixed(1)} ${UNITS[power - 1]}`;
}
