import { spawn } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeTestDirectory } from '@cleveragents/testing';
import { beforeEach, describe, expect, it } from 'vitest';

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const LOCK = JSON.stringify({ packages: { '': {}, 'node_modules/tool': { version: '1.0.0' } } });

/** Stands in for npm: installs the tool and the compiler. */
const NPM = `
import { mkdirSync, writeFileSync, readFileSync } from 'node:fs';
if (process.env.BROKEN_NPM) { console.error('npm error code E404'); process.exit(1); }
mkdirSync('node_modules/@nestjs/cli/bin', { recursive: true });
writeFileSync('node_modules/.package-lock.json', readFileSync('package-lock.json'));
writeFileSync('node_modules/@nestjs/cli/bin/nest.js', readFileSync('compiler.cjs'));
`;

/** Stands in for the compiler: refuses a source that says so, else makes a job that shows its arguments. */
const COMPILER = `
const { mkdirSync, writeFileSync, readFileSync } = require('node:fs');
const source = readFileSync('apps/server/src/migrate.ts', 'utf8');
if (source.includes('broken')) { console.error('migrate.ts: unexpected token\\n    at compile (x.js:1:1)'); process.exit(1); }
mkdirSync('dist/apps/server/src', { recursive: true });
writeFileSync('dist/apps/server/src/migrate.js', source + ';console.log(JSON.stringify(process.argv.slice(2)))');
`;

describe('The bootstrap', () => {
  let root: string;

  beforeEach(async () => {
    root = await makeTestDirectory();
    await write('package.json', '{ "type": "commonjs" }');
    await write('package-lock.json', LOCK);
    await write('npm/package.json', '{ "type": "module" }');
    await write('npm/cli.js', NPM);
    await write('compiler.cjs', COMPILER);
    await write('apps/server/src/migrate.ts', 'process.exitCode = 7');
    for (const name of ['nest-cli.json', 'tsconfig.json', 'tsconfig.build.json']) await write(name, '{}');
    await copyFile(join(import.meta.dirname, 'bootstrap.mjs'), join(root, 'apps/server/bootstrap.mjs'));
  });

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }

  function bootstrap(args: readonly string[], variables: Record<string, string> = {}): Promise<Outcome> {
    const child = spawn(process.execPath, ['apps/server/bootstrap.mjs', ...args], {
      cwd: root,
      env: { PATH: process.env.PATH, npm_execpath: join(root, 'npm/cli.js'), ...variables },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
  }

  it('installs, builds and then does the job with its own arguments and exit code', async () => {
    const { code, stdout, stderr } = await bootstrap(['migrate', '--dry', 'x']);
    expect({ code, stdout }).toEqual({ code: 7, stdout: '["--dry","x"]\n' });
    expect(stderr).toMatch(/^Installing dependencies …\n.*done in \d+ s\nBuilding …\n.*done in \d+ s\n$/);
  });

  it('does nothing but the job when everything is in place', async () => {
    await bootstrap(['migrate']);
    expect(await bootstrap(['migrate'])).toEqual({ code: 7, stdout: '[]\n', stderr: '' });
  });

  it('builds again when a source has changed, and removes what lost its source', async () => {
    await write('apps/server/src/old.ts', '');
    await bootstrap(['migrate']);
    await write('dist/apps/server/src/old.js', '');
    await rm(join(root, 'apps/server/src/old.ts'));
    expect((await bootstrap(['migrate'])).stderr).toMatch(/^Building …/);
    await expect(readFile(join(root, 'dist/apps/server/src/old.js'))).rejects.toThrow('ENOENT');
  });

  it('does not build again for a changed test', async () => {
    await bootstrap(['migrate']);
    await write('apps/server/src/migrate.spec.ts', 'changed');
    expect((await bootstrap(['migrate'])).stderr).toBe('');
  });

  it('installs again when the lock file wants another version', async () => {
    await bootstrap(['migrate']);
    await write('package-lock.json', LOCK.replace('1.0.0', '1.0.1'));
    expect((await bootstrap(['migrate'])).stderr).toMatch(/^Installing dependencies …/);
  });

  it('tells why the installation failed', async () => {
    const { code, stdout, stderr } = await bootstrap(['migrate'], { BROKEN_NPM: 'yes' });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/failed; the whole log is in dist.installing\.log\nnpm error code E404\n$/);
  });

  it('tells why the build failed, without a stack, and builds when the fault is gone', async () => {
    await write('apps/server/src/migrate.ts', 'broken');
    const { code, stderr } = await bootstrap(['migrate']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/failed; the whole log is in dist.building\.log\nmigrate\.ts: unexpected token\n$/);
    await write('apps/server/src/migrate.ts', 'process.exitCode = 7');
    expect(await bootstrap(['migrate'])).toMatchObject({ code: 7 });
  });

  it('prepares once for two commands at the same time', async () => {
    const outcomes = await Promise.all([bootstrap(['migrate']), bootstrap(['migrate'])]);
    expect(outcomes.map(({ code }) => code)).toEqual([7, 7]);
    expect(outcomes.filter(({ stderr }) => stderr.includes('Building …'))).toHaveLength(1);
  });

  it('is not held up by a command that was killed while it prepared', async () => {
    await write('dist/.preparing', '2147483646');
    expect(await bootstrap(['migrate'])).toMatchObject({ code: 7 });
  });

  it('names its subcommands when it does not know one', async () => {
    const { code, stderr } = await bootstrap(['constructor']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'Usage: node apps/server/bootstrap.mjs start | migrate | test | demo | bench\n',
    });
  });
});
