import { randomUUID } from 'node:crypto';
import { ServerProcess, TestDatabase } from '@cleveragents/testing';
import { EventStream } from './event-stream.js';
import { answerIn, type JsonRpcAnswer } from './json-rpc-answer.js';

export type Headers = Readonly<Record<string, string>>;

/** What outside conformance kits rely on: scripted behaviour, no credentials, message ids that are used again. */
const PROFILE = { A2A_TEST_AGENT: 'on', A2A_ANONYMOUS: 'on', A2A_MESSAGE_DEDUPE: 'off', PUSH_ALLOW_LOOPBACK: 'on' };

/** The built server as a process of its own, spoken to as any HTTP client does. */
export class AgentUnderTest {
  private constructor(
    readonly process: ServerProcess,
    readonly database: TestDatabase,
  ) {}

  static async start(overrides: Readonly<Record<string, string>> = {}): Promise<AgentUnderTest> {
    const database = await TestDatabase.create();
    const process = await ServerProcess.start(database.variables({ ...PROFILE, ...overrides }));
    return new AgentUnderTest(process, database);
  }

  async stop(): Promise<void> {
    await this.process.end('SIGTERM');
    await this.database.drop();
  }

  get url(): string {
    return `${this.process.baseUrl}/a2a`;
  }

  /** `POST /a2a`; text is sent as it is. */
  post(body: unknown, headers: Headers = {}, query = ''): Promise<Response> {
    return fetch(this.url + query, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  /** One call and its answer, which must be a proper JSON-RPC response to it. */
  async call(method: string, params?: unknown, headers: Headers = {}): Promise<JsonRpcAnswer> {
    const id = randomUUID();
    return answerIn(await this.post({ jsonrpc: '2.0', id, method, params }, headers), id);
  }

  /** A call that is answered by server-sent events. */
  async open(method: string, params: unknown, headers: Headers = {}): Promise<EventStream> {
    const id = randomUUID();
    const abort = new AbortController();
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      signal: abort.signal,
    });
    return new EventStream(response, id, abort);
  }

  get(path: string, headers: Headers = {}): Promise<Response> {
    return fetch(this.process.baseUrl + path, { headers });
  }
}
