import { HealthProbe, type Probe } from '@cleveragents/health';
import { GitWorkspace } from '@cleveragents/workspace';

/** Plans need a git that can merge without a work tree; everything else works without it. */
@HealthProbe({ name: 'git', whenFailing: 'degraded' })
export class GitProbe implements Probe {
  constructor(private readonly workspace: GitWorkspace) {}

  check(): Promise<void> {
    return this.workspace.ensureUsable();
  }
}
