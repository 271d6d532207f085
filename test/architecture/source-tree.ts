import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const TEST_CODE = /\.(?:spec|int-spec|e2e-spec|fixture)\.ts$|^test\/|^libs\/testing\//;

/** Every file of the project, as paths from its root: what git tracks or would track. */
export function projectFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(ROOT, path)));
}

/** TypeScript that runs in production. */
export function productionFiles(): string[] {
  return projectFiles().filter((path) => /^(?:apps|libs|migrations)\/.*\.ts$/.test(path) && !TEST_CODE.test(path));
}

export function specFiles(): string[] {
  return projectFiles().filter((path) => /\.(?:spec|int-spec|e2e-spec)\.ts$/.test(path));
}

export function libraries(): string[] {
  return readdirSync(join(ROOT, 'libs'));
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Names as `path:line` each line of `paths` that matches. */
export function linesMatching(pattern: RegExp, paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
}
