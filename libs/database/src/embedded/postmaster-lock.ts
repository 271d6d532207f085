import { readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The process that PostgreSQL's own lock file names, if that process is alive. */
export function lockHolder(dataDirectory: string): number | null {
  const pid = lockedPid(dataDirectory);
  return pid !== null && isAlive(pid) ? pid : null;
}

/** The TCP port that the lock file names (its fourth line), while its holder is alive. */
export function lockedPort(dataDirectory: string): number | null {
  if (lockHolder(dataDirectory) === null) return null;
  const port = Number.parseInt(lockLines(dataDirectory)[3] ?? '', 10);
  return Number.isNaN(port) ? null : port;
}

/**
 * Removes a lock file whose process number meanwhile belongs to another program (after a reboot, in a container) or to
 * a process that is dead and not yet collected; PostgreSQL itself would refuse to start for ever. Only where /proc can
 * tell. PostgreSQL still checks by shared memory that no old backend uses the data.
 */
export function removeForeignLock(dataDirectory: string): void {
  const pid = lockedPid(dataDirectory);
  if (pid === null || !isAlive(pid) || process.platform !== 'linux') return;
  const program = programOf(pid);
  if (program !== null && !program.startsWith('postgres')) rmSync(lockFile(dataDirectory), { force: true });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Gone, or dead and only waiting to be collected by its parent. */
export function hasExited(pid: number): boolean {
  return !isAlive(pid) || programOf(pid) === '';
}

function lockedPid(dataDirectory: string): number | null {
  // A negative number marks a standalone backend (initdb).
  const pid = Math.abs(Number.parseInt(lockLines(dataDirectory)[0] ?? '', 10));
  return Number.isNaN(pid) ? null : pid;
}

function lockLines(dataDirectory: string): string[] {
  try {
    return readFileSync(lockFile(dataDirectory), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Empty for a dead process that is not collected; null when the platform cannot tell. */
function programOf(pid: number): string | null {
  try {
    return basename(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '');
  } catch {
    return null;
  }
}

function lockFile(dataDirectory: string): string {
  return join(dataDirectory, 'postmaster.pid');
}
