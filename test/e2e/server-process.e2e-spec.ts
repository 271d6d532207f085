import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import type { Readable } from 'node:stream';
import { TestDatabase } from '@cleveragents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

type ServerProcess = ChildProcessByStdio<null, Readable, Readable>;

let database: TestDatabase;

/** Building what is stale takes its time. */
const BUILD_TIMEOUT_MS = 120_000;
const PROCESS_TIMEOUT_MS = 30_000;

beforeAll(async () => {
  database = await TestDatabase.create();
  const build = run('migrate');
  build.stdout.resume();
  build.stderr.resume();
  await once(build, 'exit');
}, BUILD_TIMEOUT_MS);

afterAll(() => database.drop());

function start(variables: Readonly<Record<string, string>> = {}): ServerProcess {
  return run('start', variables);
}

/** A job of the bootstrap, as `npm start` and `npm run migrate` run it. */
function run(job: string, variables: Readonly<Record<string, string>> = {}): ServerProcess {
  return spawn(process.execPath, ['apps/server/bootstrap.mjs', job], {
    env: database.variables({ PORT: '0', ...variables }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function textOf(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk as string;
  return text;
}

/** Resolves with what the process has written when `pattern` appears. */
function written(stream: Readable, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (pattern.test(text)) resolve(text);
    });
    stream.once('end', () => reject(new Error(`ended without ${String(pattern)}: ${text}`)));
  });
}

/** Exit code and the lines on standard error that are not the build's. */
async function failureOf(variables: Readonly<Record<string, string>>): Promise<{ code: unknown; lines: string[] }> {
  const child = start(variables);
  const [stderr, [code]] = await Promise.all([textOf(child.stderr), once(child, 'exit')]);
  const lines = stderr.split('\n').filter((line) => line !== '' && !/^(Building|Installing|Waiting)/.test(line));
  return { code, lines };
}

describe('the server process', { timeout: PROCESS_TIMEOUT_MS }, () => {
  it('shows a first call that works, and ends cleanly when it is told to', async () => {
    const child = start();
    const welcome = await written(child.stdout, /First call:.*\n/);
    const cardUrl = /Agent card: (\S+)/.exec(welcome)?.[1] ?? '';
    const tokenFile = /Token file: (\S+)/.exec(welcome)?.[1] ?? '';
    const curl = /First call: (.*)\n/.exec(welcome)?.[1] ?? '';
    expect((await fetch(cardUrl)).status).toBe(200);
    expect(readFileSync(tokenFile, 'utf8')).toMatch(/^\S+\n$/);
    const shell = spawn('sh', ['-c', curl], { stdio: ['ignore', 'pipe', 'inherit'] });
    expect(JSON.parse(await textOf(shell.stdout))).toMatchObject({
      id: 1,
      result: { status: 'ok', version: expect.any(String) as string },
    });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('does not wait for a connection that never asked anything', async () => {
    const child = start({ SHUTDOWN_GRACE_SECONDS: '600' });
    const welcome = await written(child.stdout, /First call:.*\n/);
    const { hostname, port } = new URL(/(\S+)\/\.well-known/.exec(welcome)?.[1] ?? '');
    const silent = connect(Number(port), hostname);
    await once(silent, 'connect');
    // How the connection ends is the server's affair.
    silent.on('error', () => undefined);
    const closed = new Promise((resolve) => silent.once('close', resolve));
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await closed;
  });

  it('ends open streams when it stops', async () => {
    const child = start({ A2A_TEST_AGENT: 'on', SHUTDOWN_GRACE_SECONDS: '1' });
    const welcome = await written(child.stdout, /First call:.*\n/);
    const url = /(\S+)\/\.well-known/.exec(welcome)?.[1] ?? '';
    const token = readFileSync(/Token file: (\S+)/.exec(welcome)?.[1] ?? '', 'utf8').trim();
    const message = { role: 'user', kind: 'message', messageId: 'm', parts: [{ kind: 'text', text: 'slow: 60000' }] };
    const response = await fetch(`${url}/a2a`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message } }),
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    child.kill('SIGTERM');
    expect(await response.text()).toContain('data: ');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('names all faults of its configuration in one line, without the values', async () => {
    const { code, lines } = await failureOf({ PORT: 'hunter2', LOG_LEVEL: 'hunter2' });
    expect(code).toBe(1);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/LOG_LEVEL.*PORT|PORT.*LOG_LEVEL/);
    expect(lines[0]).not.toContain('hunter2');
  });

  it('says in one line that the port is taken', async () => {
    const holder: Server = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const { code, lines } = await failureOf({ PORT: String(port) });
    holder.close();
    expect({ code, lines }).toEqual({
      code: 1,
      lines: [`Port ${port} on 127.0.0.1 is in use: stop what listens there, or set PORT`],
    });
  });

  it('says in one line that the database cannot be reached', async () => {
    const { code, lines } = await failureOf({ DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/none' });
    expect(code).toBe(1);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('DATABASE_URL');
    expect(lines[0]).not.toContain('hunter2');
  });
});
