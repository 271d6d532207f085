import { readFileSync } from 'node:fs';
import { createLogger } from '@cleveragents/observability';
import { TestDatabase } from '@cleveragents/testing';
import { RunningServer } from '../../apps/server/src/running-server.js';

export interface JsonRpcAnswer {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A whole server on a free port with a database of its own, as a client sees it. */
export class TestServer {
  private constructor(
    readonly url: string,
    readonly token: string,
    /** Lines of its log. */
    readonly log: readonly string[],
    private readonly server: RunningServer,
    private readonly database: TestDatabase,
  ) {}

  static async start(overrides: Readonly<Record<string, string>> = {}): Promise<TestServer> {
    const database = await TestDatabase.create();
    return TestServer.on(database, overrides).catch(async (error: unknown) => {
      await database.drop();
      throw error;
    });
  }

  private static async on(database: TestDatabase, overrides: Readonly<Record<string, string>>): Promise<TestServer> {
    const config = database.config({ PORT: '0', A2A_TEST_AGENT: 'on', LOG_LEVEL: 'info', ...overrides });
    const lines: string[] = [];
    const logger = createLogger({ level: config.log.level, pretty: false }, { write: (line) => void lines.push(line) });
    const server = await RunningServer.start(config, logger);
    const token = readFileSync(server.tokenFile, 'utf8').trim();
    return new TestServer(server.listenUrl, token, lines, server, database);
  }

  /** `POST /a2a` with the owner's token; text and bytes are sent as they are. */
  post(body: unknown, headers: Readonly<Record<string, string | undefined>> = {}): Promise<Response> {
    const all = { 'content-type': 'application/json', authorization: `Bearer ${this.token}`, ...headers };
    return fetch(`${this.url}/a2a`, {
      method: 'POST',
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      headers: Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined),
    });
  }

  /** Calls a method and answers the JSON-RPC answer, whatever it says. */
  async call(method: string, params: unknown = {}, id: unknown = 1): Promise<JsonRpcAnswer> {
    const response = await this.post({ jsonrpc: '2.0', id, method, params });
    return (await response.json()) as JsonRpcAnswer;
  }

  get dataDir(): string {
    return this.database.dataDir;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Response> {
    return fetch(`${this.url}${path}`, { method, headers });
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.database.drop();
  }
}

/** Params of a 0.3 send with one text part. */
export function textMessage(text: string, messageId: string): { message: object } {
  return { message: { kind: 'message', role: 'user', messageId, parts: [{ kind: 'text', text }] } };
}
