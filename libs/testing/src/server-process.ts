import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';

const READY_WITHIN_MS = 60_000;
const ASK_EVERY_MS = 50;

/** The built server as a process of its own, on a free port of loopback; `npm test` has built it. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly baseUrl: string,
    /** Bearer token of the local owner. */
    readonly token: string,
    private readonly output: () => string,
  ) {}

  /** `variables` is the whole environment; resolves once the server says that it is ready. */
  static async start(variables: Readonly<Record<string, string>>): Promise<ServerProcess> {
    const port = await freePort();
    const env = { ...variables, HOST: '127.0.0.1', PORT: String(port) };
    const child = spawn(process.execPath, [resolve('dist/apps/server/src/main.js')], { env, stdio: 'pipe' });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (text += bytes.toString()));
    const baseUrl = `http://127.0.0.1:${port}`;
    await untilReady(baseUrl, child, () => text);
    const token = (await readFile(join(variables.DATA_DIR ?? '.data', 'token'), 'utf8')).trim();
    return new ServerProcess(child, baseUrl, token, () => text);
  }

  /** All that the process has written to stdout and stderr. */
  get log(): string {
    return this.output();
  }

  /** Resident memory of the process in bytes. */
  get memory(): number {
    const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', String(this.child.pid)], { encoding: 'utf8' });
    return Number(kilobytes) * 1024;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Sends one JSON-RPC call, whose id is 1. */
  post(
    method: string,
    params: object,
    headers: Readonly<Record<string, string>> = {},
    signal?: AbortSignal,
  ): Promise<Response> {
    return fetch(`${this.baseUrl}/a2a`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${this.token}`, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: signal ?? null,
    });
  }

  /** Sends one JSON-RPC call and answers its response object. */
  async call(method: string, params: object, headers: Readonly<Record<string, string>> = {}): Promise<JsonRpcAnswer> {
    const response = await this.post(method, params, headers);
    return (await response.json()) as JsonRpcAnswer;
  }

  /** The process stands still, as one whose machine was put to sleep. */
  suspend(): void {
    this.child.kill('SIGSTOP');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }

  /** Resolves once the process is gone. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (!this.isRunning) return;
    const exited = once(this.child, 'exit');
    this.child.kill(signal);
    await exited;
  }
}

export interface JsonRpcAnswer {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

async function untilReady(baseUrl: string, child: ChildProcess, log: () => string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended before it was ready:\n${log()}`);
    const isReady = await fetch(`${baseUrl}/ready`).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((next) => setTimeout(next, ASK_EVERY_MS));
  }
  child.kill('SIGKILL');
  throw new Error(`the server was not ready in time:\n${log()}`);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
