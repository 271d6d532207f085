import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { BlobReader } from './blob-reader.js';
import { ChangeReader } from './change-reader.js';
import type { Artifact, ChangeRange, ChangeSet, DiffOptions, FileContent } from './change-set.js';
import { GitMerger } from './git-merger.js';
import { GitSandboxes } from './git-sandboxes.js';
import { Git } from './git.js';
import { MergeJournal } from './merge-journal.js';
import { MergePlanner } from './merge-planner.js';
import type { MergeRequest, MergeResult, RevertRequest } from './merge.js';
import type { RepositoryInfo } from './repository-info.js';
import { RepositoryGuard } from './repository-guard.js';
import { RepositoryInspector } from './repository-inspector.js';
import type { CheckpointRequest, OpenSandboxRequest, RevertedPath, Sandbox, SandboxStrategy } from './sandbox.js';
import { TargetCheckouts } from './target-checkouts.js';

const DEFAULT_FILE_BYTES = 1024 * 1024;

/** Work on git repositories of the user, away from their work trees until it is merged. */
@Injectable()
export class GitWorkspace implements SandboxStrategy<Sandbox, OpenSandboxRequest> {
  private readonly inspector: RepositoryInspector;
  private readonly guard: RepositoryGuard;
  private readonly sandboxes: GitSandboxes;
  private readonly blobs: BlobReader;
  private readonly changes: ChangeReader;
  private readonly merger: GitMerger;
  private readonly git: Git;

  constructor(@Inject(APP_CONFIG) config: AppConfig) {
    const git = new Git(config.workspace.searchPath);
    this.git = git;
    const sandboxesDir = join(config.dataDir, 'sandboxes');
    this.inspector = new RepositoryInspector(git, config.workspace.roots, sandboxesDir);
    this.guard = new RepositoryGuard(git);
    this.sandboxes = new GitSandboxes(git, this.inspector, this.guard, sandboxesDir);
    this.blobs = new BlobReader(git);
    this.changes = new ChangeReader(git, this.blobs);
    const checkouts = new TargetCheckouts(git, this.inspector);
    const journal = new MergeJournal(git, checkouts);
    this.merger = new GitMerger(git, new MergePlanner(git, this.changes, checkouts, journal), journal);
  }

  /** Fails with a ConfigurationError where no git program does, or one too old; looked up once. */
  ensureUsable(): Promise<void> {
    return this.git.ensureUsable();
  }

  /** Looks at a directory of the user; refuses what is outside the allowed roots or not the top of a repository. */
  inspect(path: string, branch?: string): Promise<RepositoryInfo> {
    return this.inspector.inspect(path, branch);
  }

  openSandbox(request: OpenSandboxRequest): Promise<Sandbox> {
    return this.sandboxes.openSandbox(request);
  }

  /** A sandbox at one of its checkpoints, whatever has become of it meanwhile; its git directory may be another one. */
  reopenSandbox(sandbox: Sandbox, checkpoint: string): Promise<Sandbox> {
    return this.guard.during([sandbox], () => this.sandboxes.reopenSandbox(sandbox, checkpoint));
  }

  checkpoint(sandbox: Sandbox, request: CheckpointRequest): Promise<string | null> {
    return this.guard.during([sandbox], () => this.sandboxes.checkpoint(sandbox, request));
  }

  /** Latest checkpoint; at first the base commit. */
  headOf(sandbox: Sandbox): Promise<string> {
    return this.guard.during([sandbox], () => this.sandboxes.headOf(sandbox));
  }

  /** What `reset` to this checkpoint would change. */
  previewReset(sandbox: Sandbox, checkpoint: string): Promise<readonly RevertedPath[]> {
    return this.guard.during([sandbox], () => this.sandboxes.previewReset(sandbox, checkpoint));
  }

  reset(sandbox: Sandbox, checkpoint: string): Promise<readonly RevertedPath[]> {
    return this.guard.during([sandbox], () => this.sandboxes.reset(sandbox, checkpoint));
  }

  /** Work tree and plan branch; gone already is fine. */
  removeSandbox(sandbox: Sandbox): Promise<void> {
    return this.sandboxes.removeSandbox(sandbox);
  }

  /** Keeps the commits of the sandbox under `refs/cleveragents/<id>`, which `keptRange` reads. */
  keepRef(sandbox: Sandbox): Promise<string> {
    return this.guard.during([sandbox], () => this.sandboxes.keepRef(sandbox));
  }

  diff(range: ChangeRange, options: DiffOptions = {}): Promise<ChangeSet> {
    return this.guard.during([range], () => this.changes.diff(range, options));
  }

  artifacts(range: ChangeRange): Promise<readonly Artifact[]> {
    return this.guard.during([range], () => this.changes.artifacts(range));
  }

  /** A file at a commit, branch or ref; null when there is none. One above `maxBytes` (1 MiB) is refused. */
  readFile(
    repository: string,
    revision: string,
    path: string,
    maxBytes = DEFAULT_FILE_BYTES,
  ): Promise<FileContent | null> {
    return this.guard.during([{ repository }], () =>
      this.blobs.readFile({ cwd: repository }, revision, path, maxBytes),
    );
  }

  async merge(request: MergeRequest): Promise<MergeResult> {
    const [result] = await this.mergeAll([request]);
    if (result === undefined) throw new Error('a merge has no result');
    return result;
  }

  /** All or none: everything is checked and built before the first target branch moves. */
  mergeAll(requests: readonly MergeRequest[]): Promise<readonly MergeResult[]> {
    const ranges = requests.map(({ range }) => range);
    return this.guard.during(ranges, () => this.merger.mergeAll(requests));
  }

  /** A new commit that undoes a merge; history is never rewritten. */
  async revertMerge(request: RevertRequest): Promise<MergeResult> {
    const [result] = await this.revertAll([request]);
    if (result === undefined) throw new Error('a revert has no result');
    return result;
  }

  /** All or none, as with merges. */
  revertAll(requests: readonly RevertRequest[]): Promise<readonly MergeResult[]> {
    const targets = requests.map(({ repository, branch, mergeCommit }) => ({
      repository,
      targetBranch: branch,
      baseCommit: mergeCommit,
    }));
    return this.guard.during(targets, () => this.merger.revertAll(requests));
  }
}
