import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import type { Artifact, ChangeRange, ChangeSet, DiffOptions, FileContent } from './change-set.js';
import type { MergeRequest, MergeResult, RevertRequest } from './merge.js';
import type { RepositoryInfo } from './repository-info.js';
import type { CheckpointRequest, OpenSandboxRequest, RevertedPath, Sandbox, SandboxStrategy } from './sandbox.js';

@Injectable()
export class GitWorkspace implements SandboxStrategy<Sandbox, OpenSandboxRequest> {
  constructor(@Inject(APP_CONFIG) private readonly config: AppConfig) {}

  /** Looks at a directory of the user: refuses what lies outside the allowed roots or is not the top of a repository. */
  async inspect(path: string, branch?: string): Promise<RepositoryInfo> {
    return this.pending(path, branch);
  }

  async openSandbox(request: OpenSandboxRequest): Promise<Sandbox> {
    return this.pending(request);
  }

  async checkpoint(sandbox: Sandbox, request: CheckpointRequest): Promise<string | null> {
    return this.pending(sandbox, request);
  }

  /** Latest checkpoint. */
  async headOf(sandbox: Sandbox): Promise<string> {
    return this.pending(sandbox);
  }

  /** What `reset` to this checkpoint would change. */
  async previewReset(sandbox: Sandbox, checkpoint: string): Promise<readonly RevertedPath[]> {
    return this.pending(sandbox, checkpoint);
  }

  async reset(sandbox: Sandbox, checkpoint: string): Promise<readonly RevertedPath[]> {
    return this.pending(sandbox, checkpoint);
  }

  /** Work tree and plan branch; gone already is fine. */
  async removeSandbox(sandbox: Sandbox): Promise<void> {
    return this.pending(sandbox);
  }

  /** Keeps the commits of the sandbox under `refs/cleveragents/<id>`, read by `keptRange`. */
  async keepRef(sandbox: Sandbox): Promise<string> {
    return this.pending(sandbox);
  }

  async diff(range: ChangeRange, options: DiffOptions = {}): Promise<ChangeSet> {
    return this.pending(range, options);
  }

  async artifacts(range: ChangeRange): Promise<readonly Artifact[]> {
    return this.pending(range);
  }

  /** A file at a commit, branch or ref; null when there is none. Over `maxBytes` it is refused. */
  async readFile(repository: string, revision: string, path: string, maxBytes?: number): Promise<FileContent | null> {
    return this.pending(repository, revision, path, maxBytes);
  }

  async merge(request: MergeRequest): Promise<MergeResult> {
    return this.pending(request);
  }

  /** All or none: everything is checked and built before the first target moves. */
  async mergeAll(requests: readonly MergeRequest[]): Promise<readonly MergeResult[]> {
    return this.pending(requests);
  }

  /** A new commit that undoes a merge; history is never rewritten. */
  async revertMerge(request: RevertRequest): Promise<MergeResult> {
    return this.pending(request);
  }

  private async pending(..._args: unknown[]): Promise<never> {
    throw new Error(`${this.config.dataDir}: not there yet`);
  }
}
