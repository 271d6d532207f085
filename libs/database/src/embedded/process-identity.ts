import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { ConfigurationError } from '@cleveragents/kernel';

/**
 * As whom PostgreSQL runs; it refuses to run as root and initdb refuses a user without an account.
 *
 * - `direct`: as the user of this process.
 * - `user-namespace`: inside a user namespace that shows this process's user under another number. Files stay the
 *   user's own, so it works below private directories and needs no account to be created.
 * - `switched-user`: as another account, which must be able to reach the programs and the data.
 */
export interface ProcessIdentity {
  readonly kind: 'direct' | 'user-namespace' | 'switched-user';
  /** Command that the program's own command line is appended to. */
  readonly prefix: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const DIRECT: ProcessIdentity = { kind: 'direct', prefix: [] };

/** `dataOwner` = uid that owns the existing cluster; null before there is one. */
export function chooseIdentity(dataOwner: number | null, useNamespaces: boolean): ProcessIdentity {
  const isRoot = process.geteuid?.() === 0;
  if (!isRoot && hasAccount()) return DIRECT;
  // PostgreSQL insists on owning its data: a cluster made by another user keeps running as that user.
  if (isRoot && dataOwner !== null && dataOwner !== 0) return switchedTo(accountOf(dataOwner));
  const namespace = useNamespaces ? userNamespace() : null;
  return namespace ?? (isRoot ? switchedUser() : DIRECT);
}

/** The accounts made for this purpose, else the one that owns nothing. */
function switchedUser(): ProcessIdentity {
  const known = accounts();
  const account = known.find(({ name }) => name === 'postgres') ?? known.find(({ name }) => name === 'nobody');
  if (account === undefined) {
    throw new ConfigurationError(
      'PostgreSQL does not run as root, user namespaces are refused and there is neither a postgres nor a nobody account: run the server as another user or set DATABASE_URL',
      { key: 'DATABASE_URL' },
    );
  }
  return switchedTo(account);
}

function userNamespace(): ProcessIdentity | null {
  const account = accounts().find(({ name }) => name === 'nobody') ?? accounts().find(({ uid }) => uid !== 0);
  if (process.platform !== 'linux' || account === undefined) return null;
  const prefix = ['unshare', '--user', `--map-user=${account.uid}`, `--map-group=${account.gid}`];
  const probe = spawnSync('unshare', [...prefix.slice(1), 'true'], { stdio: 'ignore' });
  return probe.status === 0 ? { kind: 'user-namespace', prefix } : null;
}

function switchedTo({ uid, gid }: Account): ProcessIdentity {
  return { kind: 'switched-user', prefix: [], uid, gid };
}

function accountOf(uid: number): Account {
  return accounts().find((account) => account.uid === uid) ?? { name: String(uid), uid, gid: uid };
}

function hasAccount(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    // A uid without an account, as `docker run --user 12345` gives.
    return false;
  }
}

function accounts(): Account[] {
  return readPasswd()
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}

function readPasswd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8');
  } catch {
    return '';
  }
}

export interface CommandLine {
  readonly file: string;
  readonly args: string[];
  readonly uid?: number;
  readonly gid?: number;
}

/** How `program` is started under `identity`. */
export function commandLine(identity: ProcessIdentity, program: string, args: readonly string[]): CommandLine {
  const [file = program, ...rest] = [...identity.prefix, program, ...args];
  const { uid, gid } = identity;
  return { file, args: rest, ...(uid === undefined ? {} : { uid, gid }) };
}
