import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Test } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigModule, readConfig } from '@cleveragents/config';
import { ValidationError, type JsonObject, type JsonValue } from '@cleveragents/kernel';
import { SampleRepository } from '@cleveragents/testing';
import { CommandCheck } from './command-check.js';
import { CommandRunner } from './command-runner.js';
import { ToolRuntime } from './tool-runtime.js';
import { ToolModule } from './tool.module.js';
import type { ToolContext, ToolResult } from './tool.js';

// Each test starts dozens of processes, which a busy machine may take its time for.
vi.setConfig({ testTimeout: 60_000 });

let sandbox: SampleRepository;
let runtime: ToolRuntime;
let check: CommandCheck;
let commands: CommandRunner;

beforeEach(async () => {
  sandbox = SampleRepository.create();
  const config = readConfig({
    variables: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    workingDirectory: sandbox.path,
    isTerminal: false,
  });
  const module = await Test.createTestingModule({ imports: [ConfigModule.forRoot(config), ToolModule] }).compile();
  runtime = module.get(ToolRuntime);
  check = module.get(CommandCheck);
  commands = module.get(CommandRunner);
});

afterEach(() => sandbox.remove());

function context(overrides: Partial<ToolContext> = {}): ToolContext {
  return { root: sandbox.path, signal: new AbortController().signal, commandAllow: [['node'], ['sh']], ...overrides };
}

function call(name: string, inputs: JsonObject, overrides: Partial<ToolContext> = {}): Promise<ToolResult> {
  return runtime.call(`builtin/${name}`, inputs, context(overrides));
}

function gates(name: string, inputs: JsonObject, configGlobs: string[] = []): Promise<readonly string[]> {
  return runtime.gatesOf(`builtin/${name}`, inputs, { root: sandbox.path, configGlobs });
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function content(path: string): string {
  return readFileSync(join(sandbox.path, path), 'utf8');
}

describe('ToolRuntime', () => {
  it('offers the eight built-in tools', () => {
    expect(runtime.list().map(({ name }) => name.replace('builtin/', ''))).toEqual([
      'read_file',
      'write_file',
      'edit_file',
      'delete_file',
      'move_file',
      'list_files',
      'search_files',
      'run_command',
    ]);
    expect(runtime.find('builtin/edit_file')?.capabilities.writes).toBe(true);
    expect(runtime.find('builtin/fly')).toBeUndefined();
  });

  it('refuses an unknown tool and names every wrong input', async () => {
    await expect(call('fly', {})).rejects.toMatchObject({ reason: 'TOOL_NOT_FOUND' });
    const refusal = await call('edit_file', { path: 1, find: '', extra: true }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ValidationError);
    const paths = refusal instanceof ValidationError ? refusal.problems.map(({ path }) => path) : [];
    expect(paths.sort()).toEqual(['inputs.extra', 'inputs.find', 'inputs.path', 'inputs.replace']);
  });

  it('refuses tools that write when the work is read-only', async () => {
    await expect(call('write_file', { path: 'x', content: '' }, { isReadOnly: true })).rejects.toMatchObject({
      reason: 'READ_ONLY',
    });
    expect((await call('read_file', { path: 'README.md' }, { isReadOnly: true })).output['content']).toBe('# api\n');
  });

  it('stops when it is cancelled', async () => {
    const signal = AbortSignal.abort();
    await expect(call('write_file', { path: 'x', content: '' }, { signal })).rejects.toMatchObject({
      reason: 'ABORTED',
    });
    expect(existsSync(join(sandbox.path, 'x'))).toBe(false);
  });
});

describe('file tools', () => {
  it('write a new file with its directories, and tell a rewrite from no change', async () => {
    const inputs = { path: 'docs/a b/ü.md', content: 'x' };
    expect(await call('write_file', inputs)).toMatchObject({
      output: { path: 'docs/a b/ü.md', created: true, size_bytes: 1 },
      changedPaths: ['docs/a b/ü.md'],
      summary: 'created docs/a b/ü.md',
    });
    expect((await call('write_file', inputs)).changedPaths).toEqual([]);
    expect((await call('write_file', { ...inputs, content: 'y' })).output['created']).toBe(false);
  });

  it('edit the one passage that matches, character for character', async () => {
    const inputs = { path: 'src/greet.js', find: "'Hello, ' + name", replace: "'$& $1 ' + name" };
    expect(await call('edit_file', inputs)).toMatchObject({ output: { line: 2 }, changedPaths: ['src/greet.js'] });
    expect(content('src/greet.js')).toContain("return '$& $1 ' + name;");
  });

  it('leave the file alone when the passage occurs never or more than once', async () => {
    const before = content('src/greet.js');
    const edit = (find: string) => call('edit_file', { path: 'src/greet.js', find, replace: '' });
    await expect(edit('absent')).rejects.toMatchObject({ reason: 'FIND_NOT_FOUND', details: { occurrences: 0 } });
    await expect(edit('name')).rejects.toMatchObject({ reason: 'FIND_NOT_UNIQUE', details: { occurrences: 2 } });
    expect(content('src/greet.js')).toBe(before);
  });

  it('delete and move files, links as links, directories never', async () => {
    symlinkSync('/etc/hostname', join(sandbox.path, 'link'));
    expect((await call('move_file', { from: 'link', to: 'deep/link' })).changedPaths).toEqual(['deep/link', 'link']);
    expect(lstatSync(join(sandbox.path, 'deep/link')).isSymbolicLink()).toBe(true);
    await call('delete_file', { path: 'deep/link' });
    expect(existsSync('/etc/hostname')).toBe(true);
    await expect(call('delete_file', { path: 'src' })).rejects.toMatchObject({ reason: 'TOOL_FAILED' });
    await expect(call('move_file', { from: 'src', to: 'lib' })).rejects.toMatchObject({ reason: 'TOOL_FAILED' });
    await expect(call('move_file', { from: 'README.md', to: 'package.json' })).rejects.toMatchObject({
      reason: 'TARGET_EXISTS',
    });
    await expect(call('delete_file', { path: 'absent' })).rejects.toMatchObject({ reason: 'FILE_NOT_FOUND' });
  });

  it('list and search without git’s own files, dependencies, links and binaries', async () => {
    sandbox.write({
      'node_modules/x/i.js': 'Hello',
      '.gitignore': 'node_modules\n',
      'new\nline.txt': 'a\nHello b\n',
      bin: 'Hello\0',
    });
    symlinkSync('/etc', join(sandbox.path, 'etc'));
    const { output } = await call('list_files', {});
    expect(output['files']).toEqual([
      '.gitignore',
      'README.md',
      'bin',
      'etc',
      'new\nline.txt',
      'package.json',
      'src/greet.js',
      'test/greet.test.js',
    ]);
    expect((await call('list_files', { glob: '**/*.js' })).output['files']).toEqual([
      'src/greet.js',
      'test/greet.test.js',
    ]);
    expect((await call('search_files', { pattern: 'Hel+o' })).output['matches']).toEqual([
      { path: 'new\nline.txt', line: 2, text: 'Hello b' },
      { path: 'src/greet.js', line: 2, text: "  return 'Hello, ' + name;" },
      { path: 'test/greet.test.js', line: 6, text: "  assert.equal(greet('Ada'), 'Hello, Ada');" },
    ]);
    expect((await call('search_files', { pattern: 'Hello', glob: 'src/*' })).output['matches']).toHaveLength(1);
    expect((await call('search_files', { pattern: '--help', glob: 'src/*' })).output['matches']).toEqual([]);
  });

  it('refuse a broken expression and a glob that could run for ever', async () => {
    await expect(call('search_files', { pattern: '(' })).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
    await expect(call('list_files', { glob: '*a*a*a*b' })).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
  });

  it('read text only, of bounded size, and open nothing but files', async () => {
    sandbox.write({ bin: Buffer.from([0xff, 0xfe, 0]), big: 'x'.repeat(2000) });
    execFileSync('mkfifo', [join(sandbox.path, 'pipe')]);
    const limits = { fileBytes: 1000 };
    await expect(call('read_file', { path: 'bin' })).rejects.toMatchObject({ reason: 'NOT_TEXT' });
    await expect(call('read_file', { path: 'big' }, { limits })).rejects.toMatchObject({ reason: 'FILE_TOO_LARGE' });
    await expect(call('read_file', { path: 'pipe' })).rejects.toMatchObject({ reason: 'TOOL_FAILED' });
    await expect(call('write_file', { path: 'pipe', content: 'x' })).rejects.toMatchObject({ reason: 'TOOL_FAILED' });
    await expect(call('read_file', { path: 'src' })).rejects.toMatchObject({ reason: 'TOOL_FAILED' });
    await expect(call('write_file', { path: 'y', content: 'x'.repeat(1001) }, { limits })).rejects.toMatchObject({
      reason: 'FILE_TOO_LARGE',
    });
  });
});

describe('paths of callers', () => {
  const escapes = ['../x', 'src/../../x', '/etc/passwd', 'out/x', 'out', 'dangling', 'src/greet.js/x', 'a\0b'];
  const gitPaths = [
    '.git',
    '.git/hooks/pre-commit',
    'sub/.git/config',
    '.GIT/config',
    '.git./config',
    '.g\u200cit/x',
    'git~1/x',
    'inner/config',
  ];

  beforeEach(() => {
    symlinkSync('/tmp', join(sandbox.path, 'out'));
    symlinkSync('/tmp/absent-target', join(sandbox.path, 'dangling'));
    symlinkSync('.git', join(sandbox.path, 'inner'));
  });

  it.each([...escapes, ...gitPaths])('refuses %j for every tool that opens a path', async (path) => {
    await expect(call('read_file', { path })).rejects.toBeInstanceOf(ValidationError);
    await expect(call('write_file', { path, content: 'x' })).rejects.toBeInstanceOf(ValidationError);
    await expect(call('edit_file', { path, find: 'a', replace: 'b' })).rejects.toBeInstanceOf(ValidationError);
    await expect(gates('write_file', { path, content: 'x' })).rejects.toBeInstanceOf(ValidationError);
    await expect(call('run_command', { argv: ['node'], cwd: path })).rejects.toBeInstanceOf(ValidationError);
    expect(existsSync('/tmp/absent-target')).toBe(false);
  });

  it.each(['../x', '/etc/passwd', 'out/x', '.git/HEAD', 'inner/HEAD', '.', 'src/..'])(
    'refuses to delete or move %j',
    async (path) => {
      await expect(call('delete_file', { path })).rejects.toBeInstanceOf(ValidationError);
      await expect(call('move_file', { from: path, to: 'y' })).rejects.toBeInstanceOf(ValidationError);
      await expect(call('move_file', { from: 'README.md', to: path })).rejects.toBeInstanceOf(ValidationError);
    },
  );

  it('follows a link that stays inside', async () => {
    symlinkSync('src', join(sandbox.path, 'code'));
    expect((await call('read_file', { path: 'code/greet.js' })).output['content']).toContain('greet');
  });

  it.each(['-rf', 'a b', '*', '$(x)', '..x', '.gitignore', '.github/x'])(
    'takes the unusual but harmless %j',
    async (path) => {
      await call('write_file', { path, content: 'x' });
      expect(content(path)).toBe('x');
    },
  );
});

describe('gates', () => {
  it('tell a new file from a change, configuration from code', async () => {
    expect(await gates('read_file', { path: 'README.md' })).toEqual([]);
    expect(await gates('write_file', { path: 'new', content: '' })).toEqual(['create_file']);
    expect(await gates('write_file', { path: 'README.md', content: '' })).toEqual(['edit_code']);
    expect(await gates('edit_file', { path: 'package.json', find: 'a', replace: 'b' }, ['*.json'])).toEqual([
      'edit_code',
      'modify_config',
    ]);
    expect(await gates('delete_file', { path: 'package.json' }, ['*.json'])).toEqual([
      'delete_content',
      'modify_config',
    ]);
    expect(await gates('move_file', { from: 'README.md', to: 'x' })).toEqual(['create_file', 'edit_code']);
    expect(await gates('run_command', { argv: ['node'] })).toEqual(['execute_command']);
  });
});

describe('run_command', () => {
  const node = (script: string, overrides: Partial<ToolContext> = {}) =>
    call('run_command', { argv: ['node', '-e', script] }, overrides);

  it('runs an allowed command in the sandbox, with nothing of the server’s environment', async () => {
    vi.stubEnv('SECRET_OF_THE_SERVER', 'x');
    const { output } = await node('console.log(process.cwd(), Object.keys(process.env).sort().join())');
    vi.unstubAllEnvs();
    expect(output['stdout']).toMatch(/^\/sandbox CI,/);
    expect(output['stdout']).not.toContain('SECRET');
  });

  it('gives a command a home of its own that is gone afterwards', async () => {
    const { output } = await node("fs.writeFileSync(os.homedir() + '/x', ''); console.log(os.homedir(), os.tmpdir())");
    const [home = '', temporary] = textOf(output['stdout']).trim().split(' ');
    expect(temporary).toBe(home);
    expect(existsSync(home)).toBe(false);
  });

  it.each([[['rm', '-rf', '.']], [['/usr/bin/node']], [['nodes']]])(
    'refuses %j, which the operator does not allow',
    async (argv) => {
      await expect(call('run_command', { argv })).rejects.toMatchObject({
        reason: 'COMMAND_NOT_ALLOWED',
        details: { key: 'COMMAND_ALLOW' },
      });
    },
  );

  it('compares allowed prefixes word for word', async () => {
    const commandAllow = [['node', '--version']];
    expect((await call('run_command', { argv: ['node', '--version'] }, { commandAllow })).output['exit_code']).toBe(0);
    await expect(call('run_command', { argv: ['node', '-e', ''] }, { commandAllow })).rejects.toMatchObject({
      reason: 'COMMAND_NOT_ALLOWED',
    });
    await expect(call('run_command', { argv: ['node'] }, { commandAllow: [] })).rejects.toMatchObject({
      reason: 'COMMAND_NOT_ALLOWED',
    });
  });

  it('fails with the output when the exit code is not 0', async () => {
    await expect(node("console.log('out'); console.error('err'); process.exit(3)")).rejects.toMatchObject({
      reason: 'COMMAND_FAILED',
      message: 'node: exit code 3',
      details: { exit_code: 3, stdout: 'out\n', stderr: 'err\n' },
    });
  });

  it('ends a command that takes too long', async () => {
    const slow = call('run_command', { argv: ['node', '-e', 'setInterval(() => {}, 1000)'], timeout_s: 0.5 });
    await expect(slow).rejects.toMatchObject({ reason: 'TIMED_OUT', message: 'node: timed out after 0.5 s' });
  });

  it('keeps the end of an output that is too long', async () => {
    const { output } = await node('for (let i = 0; i < 1e5; i += 1) console.log(i)', { limits: { outputBytes: 200 } });
    expect(output['truncated']).toBe(true);
    expect(output['stdout']).toMatch(/99999\n$/);
    expect(Buffer.byteLength(textOf(output['stdout']))).toBe(100);
  });

  it('reaches its own loopback and no network beyond, where the system allows that', async () => {
    const isolation = await commands.isolationReport();
    const outside = "net.connect(80, '192.0.2.1').on('error', (error) => console.log(error.code))";
    const inside = `net.createServer((peer) => peer.end()).listen(0, '127.0.0.1', function () {
      net.connect(this.address().port, '127.0.0.1').on('connect', () => process.exit(0));
    })`;
    const seen = {
      outside: isolation.network === 'open' ? 'not tried' : (await node(outside)).output['stdout'],
      inside: isolation.network === 'none' ? 0 : (await node(inside)).output['exit_code'],
    };
    expect(['ENETUNREACH\n', 'not tried']).toContain(seen.outside);
    expect(seen.inside).toBe(0);
  });
});

describe('CommandCheck', () => {
  it('passes when the tests of the sandbox pass, and shows why when they do not', async () => {
    const argv = ['node', '--test'];
    const request = { ...context(), argv };
    expect(await check.run(request)).toMatchObject({ passed: true, message: 'exit code 0', exitCode: 0 });
    writeFileSync(join(sandbox.path, 'src/greet.js'), "export const greet = () => '';\n");
    const failed = await check.run(request);
    expect(failed).toMatchObject({ passed: false, message: 'exit code 1', hasTimedOut: false });
    expect(failed.output).toContain("'Hello, Ada'");
    expect(failed.output).not.toContain(sandbox.path);
  });

  it('reports a timeout as a failed check, and refuses what is not allowed', async () => {
    const argv = ['node', '-e', 'setInterval(() => {}, 1000)'];
    expect(await check.run({ ...context(), argv, timeoutMs: 500 })).toMatchObject({ passed: false, hasTimedOut: true });
    await expect(check.run({ ...context(), argv: ['make'] })).rejects.toMatchObject({ reason: 'COMMAND_NOT_ALLOWED' });
  });

  it('throws when it is cancelled', async () => {
    mkdirSync(join(sandbox.path, 'x'));
    const running = new AbortController();
    const result = check.run({
      ...context({ signal: running.signal }),
      argv: ['node', '-e', 'setInterval(() => {}, 1000)'],
    });
    running.abort();
    await expect(result).rejects.toMatchObject({ reason: 'ABORTED' });
  });
});
