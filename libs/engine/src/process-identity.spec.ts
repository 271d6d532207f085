import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { isProcessAlive, processHost, processIdentity } from './process-identity.js';

function endedPid(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

describe('the identity of a process', () => {
  it('names this process, which is alive', () => {
    expect(processIdentity()).toMatch(new RegExp(`^${process.pid}:\\d*$`));
    expect(isProcessAlive(processIdentity())).toBe(true);
  });

  it('is gone when the process is', () => {
    expect(isProcessAlive(`${endedPid()}:`)).toBe(false);
    expect(isProcessAlive(processIdentity(endedPid()))).toBe(false);
  });

  it('is alive without a start time as long as the number is taken', () => {
    expect(isProcessAlive(`${process.pid}:`)).toBe(true);
    expect(isProcessAlive('1:')).toBe(true);
  });

  it.runIf(process.platform === 'linux')('is gone when a later process has the same number', () => {
    const [, ticks] = processIdentity().split(':');
    expect(isProcessAlive(`${process.pid}:${Number(ticks) - 1}`)).toBe(false);
  });

  it.runIf(process.platform === 'linux')(
    'is gone when the process has ended, though its parent never asked',
    async () => {
      // The shell starts a process that ends, and becomes one that does not wait for it.
      const shell = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
      try {
        const [line] = (await once(shell.stdout, 'data')) as [Buffer];
        const pid = Number(line.toString());
        await expect.poll(() => isProcessAlive(processIdentity(pid))).toBe(false);
      } finally {
        shell.kill('SIGKILL');
      }
    },
  );
});

describe('the host of a process', () => {
  it('is the same at every start on it', () => {
    expect(processHost()).toBe(processHost());
    expect(processHost()).toContain(hostname());
  });

  it.runIf(process.platform === 'linux')('is another one in another pid namespace', () => {
    expect(processHost()).toMatch(/ pid:\[\d+\]$/);
  });
});
