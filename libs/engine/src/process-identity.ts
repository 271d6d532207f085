import { readFileSync } from 'node:fs';

/**
 * A process of this machine, told apart from a later one with the same number: `<pid>:<start time in clock ticks>`
 * where the kernel says it (/proc), else `<pid>:`.
 */
export function processIdentity(pid: number = process.pid): string {
  return `${pid}:${startTicks(pid) ?? ''}`;
}

/** False only when that process is certainly gone. */
export function isProcessAlive(identity: string): boolean {
  const [pid, ticks] = identity.split(':');
  if (ticks !== '') return startTicks(Number(pid)) === ticks;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function startTicks(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Fields after the command name, which may hold blanks and is closed by the last parenthesis; start time is the 22nd.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
