import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProcessStartError, runProcess, type ProcessOutcome, type ProcessRequest } from './process-runner.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'process-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

function run(argv: string[], overrides: Partial<ProcessRequest> = {}): Promise<ProcessOutcome> {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  return runProcess({ argv, cwd: directory, env, timeoutMs: 60_000, outputLimit: 1000, graceMs: 100, ...overrides });
}

const sh = (script: string, overrides: Partial<ProcessRequest> = {}) => run(['sh', '-c', script], overrides);

/** Whether a process id that a script wrote down still lives; a zombie does not. */
function isAlive(pidFile: string): boolean {
  const status = `/proc/${readFileSync(join(directory, pidFile), 'utf8').trim()}/stat`;
  return existsSync(status) && !readFileSync(status, 'utf8').includes(') Z ');
}

describe('runProcess', () => {
  it('hands arguments over as they are, the given environment alone, and the input', async () => {
    const outcome = await run(['sh', '-c', 'printf "%s|" "$@"; cat; env >&2', 'sh', 'a b', '$(x)', '*'], {
      stdin: 'input',
      env: { PATH: '/usr/bin:/bin', ONLY: '1' },
    });
    expect(outcome).toMatchObject({ exitCode: 0, signal: null, endedBy: null, isTruncated: false });
    expect(outcome.stdout.toString()).toBe('a b|$(x)|*|input');
    expect(outcome.stderr.toString()).toMatch(/^ONLY=1$/m);
    expect(outcome.stderr.toString()).not.toContain('HOME=');
  });

  it('reports exit codes and signals', async () => {
    expect(await sh('exit 7')).toMatchObject({ exitCode: 7, signal: null });
    expect(await sh('kill -USR1 $$')).toMatchObject({ exitCode: null, signal: 'SIGUSR1' });
  });

  it('rejects what cannot be started', async () => {
    await expect(run(['no-such-program'])).rejects.toMatchObject({ program: 'no-such-program', code: 'ENOENT' });
    await expect(run(['sh'], { cwd: join(directory, 'absent') })).rejects.toBeInstanceOf(ProcessStartError);
    await expect(run(['sh', 'a\0b'])).rejects.toBeInstanceOf(ProcessStartError);
  });

  it('does not mind a program that closes its input early', async () => {
    expect(await sh('exit 0', { stdin: Buffer.alloc(10_000_000) })).toMatchObject({ exitCode: 0 });
  });

  it('keeps the head, the tail, or ends the program when there is too much output', async () => {
    const endless = 'i=0; while true; do i=$((i+1)); echo $i; done';
    const head = await sh('seq 100000', { outputLimit: 10 });
    expect(head).toMatchObject({ exitCode: 0, isTruncated: true });
    expect(head.stdout.toString()).toBe('1\n2\n3\n4\n5\n');
    const tail = await sh('seq 100000', { outputLimit: 10, onOverflow: 'tail' });
    expect(tail.stdout.toString()).toBe('99\n100000\n');
    expect(await sh(endless, { outputLimit: 10, onOverflow: 'fail' })).toMatchObject({ endedBy: 'overflow' });
  });

  it('ends the whole group when the time is up, also what ignores the polite signal', async () => {
    const stubborn =
      'trap "" TERM; sh -c \'trap "" TERM; echo $$ > inner; sleep 1000\' & echo $$ > outer; wait; sleep 1000';
    const outcome = await sh(stubborn, { timeoutMs: 300 });
    expect(outcome).toMatchObject({ endedBy: 'timeout', exitCode: null, signal: 'SIGKILL' });
    expect([isAlive('outer'), isAlive('inner')]).toEqual([false, false]);
  });

  it('settles when the program exits, and ends what it left running with the pipes open', async () => {
    const outcome = await sh('sleep 1000 & echo $! > left; echo done');
    expect(outcome).toMatchObject({ exitCode: 0, endedBy: null });
    expect(outcome.stdout.toString()).toBe('done\n');
    expect(isAlive('left')).toBe(false);
  });

  it('settles even if a process has left the group and holds the pipes', async () => {
    const outcome = await sh(
      'setsid sh -c "echo \\$\\$ > escaped; exec sleep 1000" & while [ ! -s escaped ]; do :; done; echo done',
    );
    expect(outcome.stdout.toString()).toBe('done\n');
    process.kill(Number(readFileSync(join(directory, 'escaped'), 'utf8')), 'SIGKILL');
  });

  it('aborts a running program, and does not start one that is aborted already', async () => {
    const abort = new AbortController();
    const started = once(watch(directory), 'change');
    const running = sh('echo $$ > started; sleep 1000', { signal: abort.signal });
    await started;
    abort.abort();
    expect(await running).toMatchObject({ endedBy: 'abort' });
    expect(await sh('echo > second', { signal: abort.signal })).toMatchObject({ endedBy: 'abort', exitCode: null });
    expect(existsSync(join(directory, 'second'))).toBe(false);
  });
});
