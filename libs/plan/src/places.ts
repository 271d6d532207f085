import { lstat } from 'node:fs/promises';
import type { Place } from '@cleveragents/actor';
import { CleverAgentsError } from '@cleveragents/kernel';
import { normalisePath, resolveInSandbox, type GitWorkspace, type Sandbox } from '@cleveragents/workspace';
import type { PlanTarget } from './plan-snapshot.entity.js';

/** The heads of all targets: a file exists there if every one of them has it. */
export class TargetHeads implements Place {
  constructor(
    private readonly workspace: GitWorkspace,
    private readonly targets: readonly PlanTarget[],
  ) {}

  async exists(path: string): Promise<boolean> {
    const relative = normalisePath(path, 'exists');
    for (const target of this.targets) if (!(await this.hasFile(target, relative))) return false;
    return true;
  }

  private async hasFile({ path, branch }: PlanTarget, file: string): Promise<boolean> {
    const { path: repository } = await this.workspace.inspect(path, branch ?? undefined);
    const revision = branch === null ? 'HEAD' : `refs/heads/${branch}`;
    return this.workspace.readFile(repository, revision, file).then(
      (content) => content !== null,
      (error: unknown) => {
        // Too large to be read is there all the same.
        if (error instanceof CleverAgentsError && error.reason === 'FILE_TOO_LARGE') return true;
        throw error;
      },
    );
  }
}

/** The files of a sandbox as they are now. */
export class SandboxFiles implements Place {
  constructor(private readonly sandbox: Sandbox) {}

  async exists(path: string): Promise<boolean> {
    const { absolute } = await resolveInSandbox(this.sandbox.root, path, 'exists');
    const entry = await lstat(absolute).catch(() => null);
    return entry?.isFile() ?? false;
  }
}
