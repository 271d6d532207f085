import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { binariesIn, locateBinaries, type PostgresBinaries } from './postgres-binaries.js';
import { chooseIdentity, type ProcessIdentity } from './process-identity.js';

/** Who runs PostgreSQL, which programs, and the directory that holds its data, password, log and socket. */
export interface Placement {
  readonly identity: ProcessIdentity;
  readonly binaries: PostgresBinaries;
  readonly home: string;
}

export type Report = (line: string) => void;

/**
 * Normally `<dataDir>/postgres` and the programs in node_modules. Another account that cannot reach them gets copies
 * below /var/lib/cleveragents, or, with a warning, below the temporary directory.
 */
export async function place(dataDir: string, report: Report, forced?: ProcessIdentity): Promise<Placement> {
  const installed = await locateBinaries();
  const preferred = join(dataDir, 'postgres');
  const identity = forced ?? chooseIdentity(ownerOf(join(preferred, 'cluster/data')));
  mkdirSync(preferred, { recursive: true, mode: 0o700 });
  if (identity.uid === undefined) return { identity, binaries: installed, home: preferred };
  const home = reachableHome(preferred, identity, report);
  return { identity, binaries: reachableBinaries(installed, identity, report), home };
}

function ownerOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.uid ?? null;
}

function reachableHome(preferred: string, identity: ProcessIdentity, report: Report): string {
  giveTo(identity, preferred);
  if (canUse(identity, '-w', preferred)) return preferred;
  const name = createHash('sha256').update(preferred).digest('hex').slice(0, 16);
  for (const base of sharedDirectories()) {
    const home = join(base, name);
    if (!canMake(home)) continue;
    giveTo(identity, home);
    if (!canUse(identity, '-w', home)) continue;
    report(`The database account cannot reach ${preferred}; the database is kept in ${home}`);
    return home;
  }
  return preferred;
}

function reachableBinaries(installed: PostgresBinaries, identity: ProcessIdentity, report: Report): PostgresBinaries {
  if (canUse(identity, '-x', installed.postgres)) return installed;
  for (const base of sharedDirectories()) {
    const root = join(base, basename(installed.root));
    if (!canMake(base)) continue;
    if (!existsSync(root)) copyPrograms(installed.root, root, report);
    if (canUse(identity, '-x', binariesIn(root).postgres)) return binariesIn(root);
  }
  return installed;
}

/** Copied beside the target and renamed, so that an interrupted copy is never used. */
function copyPrograms(from: string, to: string, report: Report): void {
  report(`Copying the PostgreSQL programs to ${to}, where the database account can reach them`);
  const unfinished = `${to}.${process.pid}`;
  cpSync(join(from, 'native'), join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(unfinished, to);
  } catch (error) {
    // Another process has finished the same copy.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  }
}

function sharedDirectories(): string[] {
  return ['/var/lib/cleveragents', join(tmpdir(), 'cleveragents')];
}

function canMake(directory: string): boolean {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    return true;
  } catch {
    return false;
  }
}

function giveTo({ uid, gid }: ProcessIdentity, path: string): void {
  if (uid !== undefined) chownSync(path, uid, gid ?? uid);
}

function canUse({ uid, gid }: ProcessIdentity, test: '-w' | '-x', path: string): boolean {
  return spawnSync('test', [test, path], { uid, gid, stdio: 'ignore' }).status === 0;
}
