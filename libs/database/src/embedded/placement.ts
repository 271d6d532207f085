import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ConfigurationError } from '@cleveragents/kernel';
import { binariesIn, locateBinaries, type PostgresBinaries } from './postgres-binaries.js';
import { chooseIdentity, type ProcessIdentity } from './process-identity.js';

/** Who runs PostgreSQL, which programs, and the directory that holds its data, password, log and socket. */
export interface Placement {
  readonly identity: ProcessIdentity;
  readonly binaries: PostgresBinaries;
  readonly home: string;
}

export interface PlacementOptions {
  readonly dataDir: string;
  /** Told what takes long or is unusual, one line at a time. */
  readonly report?: (line: string) => void;
  /** False: as on a system that refuses user namespaces. */
  readonly useNamespaces?: boolean;
  /** Where copies may go for an account that cannot reach the originals; the first that works is taken. */
  readonly sharedDirectories?: readonly string[];
}

type Sharing = Required<Pick<PlacementOptions, 'report' | 'sharedDirectories'>>;

/** In the preferred home: the path of the home that was taken instead. Later starts must find the same data. */
const MOVED = 'moved-to';

/**
 * Normally `<dataDir>/postgres` and the programs in node_modules. Another account that cannot reach them gets a place
 * and copies below /var/lib, or below the temporary directory, which not every system keeps.
 */
export async function place(options: PlacementOptions): Promise<Placement> {
  const installed = await locateBinaries();
  const preferred = join(options.dataDir, 'postgres');
  makePrivate(preferred);
  const known = knownHome(preferred);
  const identity = chooseIdentity(ownerOf(join(known, 'cluster/data')), options.useNamespaces ?? true);
  if (identity.uid === undefined) return { identity, binaries: installed, home: known };
  const sharing: Sharing = {
    report: options.report ?? (() => undefined),
    sharedDirectories: options.sharedDirectories ?? ['/var/lib/cleveragents', join(tmpdir(), 'cleveragents')],
  };
  const home = reachableHome(known, identity, sharing);
  if (home !== known) writeFileSync(join(preferred, MOVED), home);
  return { identity, binaries: reachableBinaries(installed, identity, sharing), home };
}

function makePrivate(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ConfigurationError(
      `The data directory cannot hold the database: ${(error as Error).message}`,
      { key: 'DATA_DIR' },
      { cause: error },
    );
  }
}

/** Where the database of a data directory is, once it has been placed. */
export function homeOf(dataDir: string): string {
  return knownHome(join(dataDir, 'postgres'));
}

function knownHome(preferred: string): string {
  const marker = join(preferred, MOVED);
  return existsSync(marker) ? readFileSync(marker, 'utf8') : preferred;
}

function ownerOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.uid ?? null;
}

function reachableHome(wanted: string, identity: ProcessIdentity, sharing: Sharing): string {
  giveTo(identity, wanted);
  if (canUse(identity, '-w', wanted)) return wanted;
  const name = createHash('sha256').update(wanted).digest('hex').slice(0, 16);
  for (const base of sharing.sharedDirectories) {
    if (!isOwnDirectory(base)) continue;
    const home = join(base, name);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    giveTo(identity, home);
    if (!canUse(identity, '-w', home)) continue;
    sharing.report(`The account of the database cannot reach ${wanted}: the database is kept in ${home}`);
    return home;
  }
  return wanted;
}

function reachableBinaries(installed: PostgresBinaries, identity: ProcessIdentity, sharing: Sharing): PostgresBinaries {
  if (canUse(identity, '-x', installed.postgres)) return installed;
  for (const base of sharing.sharedDirectories) {
    if (!isOwnDirectory(base)) continue;
    const root = join(base, `${basename(installed.root)}-${installed.version}`);
    if (!existsSync(root)) copyPrograms(installed.root, root, sharing);
    if (canUse(identity, '-x', binariesIn(root, installed.version).postgres)) {
      return binariesIn(root, installed.version);
    }
  }
  return installed;
}

/** Copied beside the target and renamed, so that an interrupted copy is never used. */
function copyPrograms(from: string, to: string, { report }: Sharing): void {
  report(`Copying the PostgreSQL programs to ${to}, where the account of the database can reach them`);
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

/** Makes the directory; one that another user made or may write to is not trusted with programs or data. */
function isOwnDirectory(directory: string): boolean {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    const entry = lstatSync(directory);
    return entry.isDirectory() && entry.uid === process.geteuid?.() && (entry.mode & 0o022) === 0;
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
