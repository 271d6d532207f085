import { createHash } from 'node:crypto';
import { chownSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessIdentity } from './process-identity.js';

/** Socket addresses hold 104 bytes on macOS and 108 on Linux, with a final NUL. */
const LONGEST_SOCKET_PATH = 103;
export const SOCKET_PORT = 5432;

/**
 * A private directory for PostgreSQL's socket: `home` itself when its path is short enough, else one named after
 * `home` below the system's temporary directory. Null when neither can be had; loopback TCP remains.
 */
export function socketDirectory(home: string, identity: ProcessIdentity): string | null {
  if (fits(home)) return home;
  const name = createHash('sha256').update(home).digest('hex').slice(0, 16);
  const directory = join(tmpdir(), `cleveragents-${name}`);
  return fits(directory) && isPrivate(directory, identity) ? directory : null;
}

function fits(directory: string): boolean {
  return Buffer.byteLength(`${directory}/.s.PGSQL.${SOCKET_PORT}`) <= LONGEST_SOCKET_PATH;
}

/** Makes the directory, or checks that the one that is there was not planted by another user. */
function isPrivate(directory: string, identity: ProcessIdentity): boolean {
  try {
    mkdirSync(directory, { mode: 0o700 });
    if (identity.uid !== undefined) chownSync(directory, identity.uid, identity.gid ?? identity.uid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
  }
  const entry = lstatSync(directory);
  const owner = identity.uid ?? process.geteuid?.();
  return entry.isDirectory() && entry.uid === owner && (entry.mode & 0o077) === 0;
}
