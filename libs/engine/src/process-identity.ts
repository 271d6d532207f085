import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * A process of this machine, told apart from a later one with the same number: `<pid>:<start time in clock ticks>`
 * where the kernel says it (/proc), else `<pid>:`.
 */
export function processIdentity(pid: number = process.pid): string {
  return `${pid}:${statOf(pid)?.startTicks ?? ''}`;
}

/**
 * The place within which process identities may be compared: the host, and where the kernel tells them, the boot and the
 * pid namespace. Containers may share a host name, yet none sees the processes of the other.
 */
export function processHost(): string {
  const boot = readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
  const namespace = readOrEmpty(() => readlinkSync('/proc/self/ns/pid'));
  return [hostname(), boot, namespace].filter((name) => name !== '').join(' ');
}

/** False only when that process of this processHost is certainly gone. */
export function isProcessAlive(identity: string): boolean {
  const [pid, ticks] = identity.split(':');
  const stat = ticks === '' ? null : statOf(Number(pid));
  if (stat !== null) return stat.startTicks === ticks && !stat.isDead;
  // No /proc, or one that hides the processes of other users.
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

interface ProcessStat {
  readonly startTicks: string;
  /** Ended, but its parent has not asked how. */
  readonly isDead: boolean;
}

function statOf(pid: number): ProcessStat | null {
  const stat = readOrEmpty(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // Fields after the command name, which may hold blanks and is closed by the last parenthesis: the state is the 3rd of
  // the line, the start time the 22nd.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const startTicks = fields[19];
  return startTicks === undefined ? null : { startTicks, isDead: fields[0] === 'Z' || fields[0] === 'X' };
}

function readOrEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
