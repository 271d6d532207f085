import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

type SampleFiles = Readonly<Record<string, string | Buffer>>;

/** The repository of the documentation's worked examples: a greeting and its test. */
const API_FILES: SampleFiles = {
  'src/greet.js': "export function greet(name) {\n  return 'Hello, ' + name;\n}\n",
  'test/greet.test.js': [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    "import { greet } from '../src/greet.js';",
    '',
    "test('greets by name', () => {",
    "  assert.equal(greet('Ada'), 'Hello, Ada');",
    '});',
    '',
  ].join('\n'),
  'package.json': '{ "type": "module" }\n',
  'README.md': '# api\n',
};

/** A git repository in a temporary directory, worked on as its user would. */
export class SampleRepository {
  private constructor(readonly path: string) {}

  /** One commit on `main` with these files; without files the repository stays empty. */
  static create(files: SampleFiles = API_FILES): SampleRepository {
    const repository = new SampleRepository(join(realpathSync(mkdtempSync(join(tmpdir(), 'sample-'))), 'api'));
    mkdirSync(repository.path);
    repository.git('init', '--quiet', '--initial-branch=main');
    repository.git('config', 'user.name', 'Ada Lovelace');
    repository.git('config', 'user.email', 'ada@example.com');
    if (Object.keys(files).length > 0) {
      repository.write(files);
      repository.commit('first commit');
    }
    return repository;
  }

  /** A bare copy beside this one, removed together with it. */
  bareCopy(): string {
    const path = join(dirname(this.path), 'api.git');
    this.git('clone', '--quiet', '--bare', this.path, path);
    return path;
  }

  write(files: SampleFiles): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, path)), { recursive: true });
      writeFileSync(join(this.path, path), content);
    }
  }

  /** Commits everything; answers the commit id. */
  commit(message: string): string {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', message);
    return this.head();
  }

  head(revision = 'HEAD'): string {
    return this.git('rev-parse', revision);
  }

  /** An executable hook. */
  addHook(name: string, script: string): void {
    const path = join(this.path, '.git', 'hooks', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, script);
    chmodSync(path, 0o755);
  }

  /** Standard output of git, trimmed at its end. */
  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.path, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
  }

  remove(): void {
    rmSync(dirname(this.path), { recursive: true, force: true });
  }
}
