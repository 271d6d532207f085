import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@cleveragents/config';
import { GitWorkspace } from './git-workspace.js';
import type { Sandbox } from './sandbox.js';

export const ADA = { name: 'Ada Lovelace', email: 'ada@example.com' };

/** A workspace with a data directory of its own, for tests. */
export class WorkspaceFixture {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'workspace-')));
  readonly workspace = this.configured();

  configured(variables: Record<string, string> = {}): GitWorkspace {
    const config = readConfig({
      variables: { DATA_DIR: join(this.home, 'data'), PATH: '/usr/local/bin:/usr/bin:/bin', ...variables },
      workingDirectory: this.home,
      isTerminal: false,
    });
    return new GitWorkspace(config);
  }

  /** A workspace for which Git LFS is installed: a shell script that gets `clean` or `smudge` and the content. */
  withLfs(script: string): GitWorkspace {
    const bin = join(this.home, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'git-lfs'), `#!/bin/sh\n[ "$1" = version ] && exit 0\n${script}\n`, { mode: 0o755 });
    return this.configured({ PATH: `${bin}:/usr/local/bin:/usr/bin:/bin` });
  }

  open(repository: string, sandboxId = 'P1'): Promise<Sandbox> {
    return this.workspace.openSandbox({ sandboxId, repository, branch: 'main' });
  }

  /** Writes files into the sandbox, a null removing one, and makes a checkpoint. */
  async step(
    sandbox: Sandbox,
    files: Record<string, string | Buffer | null>,
    message = 'step',
  ): Promise<string | null> {
    for (const [path, content] of Object.entries(files)) {
      if (content === null) rmSync(join(sandbox.root, path));
      else writeFileSync(join(sandbox.root, path), content);
    }
    return this.workspace.checkpoint(sandbox, { message, author: ADA });
  }

  /** The three steps of the documentation's example; their commits. */
  async exclaim(sandbox: Sandbox): Promise<string[]> {
    const test = readFileSync(join(sandbox.root, 'test/greet.test.js'), 'utf8').replace(
      "'Hello, Ada'",
      "'Hello, Ada!'",
    );
    const source = "export function greet(name) {\n  return 'Hello, ' + name + '!';\n}\n";
    const changelog = '# Changelog\n\n- greeting now ends with an exclamation mark\n';
    const commits = [
      await this.step(sandbox, { 'src/greet.js': source }, 'bump-source'),
      await this.step(sandbox, { 'test/greet.test.js': test }, 'bump-test'),
      await this.step(sandbox, { 'CHANGELOG.md': changelog }, 'changelog'),
    ];
    return commits.filter((commit) => commit !== null);
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}
