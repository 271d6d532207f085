import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '@cleveragents/kernel';
import { isAlive } from './postmaster-lock.js';
import type { Placement } from './placement.js';
import { commandLine } from './process-identity.js';

/** Name of PostgreSQL's administrator, and of the database. */
export const DATABASE_USER = 'cleveragents';

/** The files of one initialised PostgreSQL. */
export interface Cluster {
  readonly data: string;
  readonly password: string;
}

const ENCODING = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
const UNFINISHED = 'initializing-';

/** Opens the cluster of `home`, making it first if there is none. */
export async function openCluster(placement: Placement): Promise<Cluster> {
  const directory = join(placement.home, 'cluster');
  if (!existsSync(directory)) await makeCluster(placement, directory);
  const data = join(directory, 'data');
  return { data, password: (await readOwn(join(directory, 'password'))).trim() };
}

/**
 * The cluster is made under another name and renamed when it is complete: a start that is interrupted leaves nothing
 * half-made behind, and of two starts at the same moment one wins and both use its result.
 */
async function makeCluster(placement: Placement, directory: string): Promise<void> {
  await removeUnfinished(placement.home);
  const unfinished = join(placement.home, `${UNFINISHED}${process.pid}-${randomBytes(3).toString('hex')}`);
  const passwordFile = join(unfinished, 'password');
  const { uid, gid } = placement.identity;
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
  if (uid !== undefined) {
    for (const path of [unfinished, passwordFile]) await chown(path, uid, gid ?? uid);
  }
  await initialise(placement, join(unfinished, 'data'), passwordFile);
  try {
    await rename(unfinished, directory);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(directory)) throw error;
  }
}

async function initialise(placement: Placement, data: string, passwordFile: string): Promise<void> {
  const { file, args, uid, gid } = commandLine(placement.identity, placement.binaries.initdb, [
    `--pgdata=${data}`,
    `--username=${DATABASE_USER}`,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--no-instructions',
    ...ENCODING,
  ]);
  const child = spawn(file, args, {
    uid,
    gid,
    cwd: '/',
    env: postgresEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (code !== 0) {
    throw new ConfigurationError(`The embedded PostgreSQL could not be set up: ${lastLine(complaint)}`, {
      key: 'DATA_DIR',
    });
  }
}

/** PostgreSQL takes nothing from the server's environment: no PG* setting and no locale. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

export function lastLine(text: string): string {
  const lines = text.trim().split('\n');
  return lines.findLast((line) => /FATAL|PANIC|error/i.test(line)) ?? lines.at(-1) ?? '';
}

async function removeUnfinished(home: string): Promise<void> {
  for (const name of readdirSync(home)) {
    if (!name.startsWith(UNFINISHED) || isAlive(Number.parseInt(name.slice(UNFINISHED.length), 10))) continue;
    await rm(join(home, name), { recursive: true, force: true });
  }
}

async function readOwn(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new ConfigurationError(
      `The embedded database in ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}): it belongs to another user, or is damaged`,
      { key: 'DATA_DIR' },
      { cause: error },
    );
  }
}
