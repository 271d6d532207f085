import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@cleveragents/kernel';
import { ServerProcess, TestDatabase } from '@cleveragents/testing';
import { Client } from 'pg';
import { EventStream, type StreamedAnswer } from '../conformance/event-stream.js';

interface Artifact {
  readonly parts: readonly { readonly text?: string }[];
}

/** A task of A2A 0.3, as far as these tests look into it. */
export interface Task {
  readonly id: string;
  readonly status: { readonly state: string };
  readonly history?: readonly { readonly messageId: string }[];
}

/** What a stream of A2A 0.3 carries: a task, or an event of one. */
export interface Frame {
  readonly kind: 'task' | 'status-update' | 'artifact-update';
  readonly id?: string;
  readonly status?: Task['status'];
  readonly final?: boolean;
  readonly artifact?: Artifact;
  readonly artifacts?: readonly Artifact[];
  readonly metadata?: JsonObject;
}

export const AT_ONCE = { blocking: false };

/** Server processes that share a database. */
export class ServerPair {
  private readonly servers: ServerProcess[] = [];

  private constructor(readonly database: TestDatabase) {}

  static async create(): Promise<ServerPair> {
    return new ServerPair(await TestDatabase.create());
  }

  async start(variables: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    const settings = { A2A_TEST_AGENT: 'on', SHUTDOWN_GRACE_SECONDS: '2s', ...variables };
    const server = await ServerProcess.start(this.database.variables(settings));
    this.servers.push(server);
    return server;
  }

  async both(variables: Readonly<Record<string, string>> = {}): Promise<[ServerProcess, ServerProcess]> {
    const a = await this.start(variables);
    return [a, await this.start(variables)];
  }

  async stop(): Promise<void> {
    for (const server of this.servers) server.resume();
    await Promise.all(this.servers.splice(0).map((server) => server.end('SIGTERM')));
  }

  async query<T>(text: string, values: unknown[] = []): Promise<T[]> {
    const client = new Client({ connectionString: this.database.url });
    await client.connect();
    try {
      return (await client.query(text, values)).rows as T[];
    } finally {
      await client.end();
    }
  }

  /** The states in the log of a task, in order; fails when a number of the log is missing or there twice. */
  async loggedStates(id: string): Promise<string[]> {
    const rows = await this.query<{ seq: number; frames: string }>(
      'SELECT seq, frames FROM task_event WHERE task_id = $1 ORDER BY seq',
      [id],
    );
    const texts = rows.flatMap(({ frames }) => frames.split('\n'));
    if (rows.at(-1)?.seq !== texts.length) throw new Error(`The log of ${id} has a gap`);
    return texts.flatMap((text) => /"state":"TASK_STATE_([A-Z_]+)"/.exec(text)?.[1] ?? []);
  }
}

/** Params of a send in the form of A2A 0.3. */
export function saying(text: string, message: object = {}, configuration: object = {}): object {
  const parts = [{ kind: 'text', text }];
  return { message: { kind: 'message', role: 'user', messageId: randomUUID(), parts, ...message }, configuration };
}

export async function ok<T = Task>(server: ServerProcess, method: string, params: object): Promise<T> {
  const { result, error } = await server.call(method, params);
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result as T;
}

export async function stateOn(server: ServerProcess, id: string): Promise<string> {
  return (await ok(server, 'tasks/get', { id })).status.state;
}

export async function stream(
  server: ServerProcess,
  method: string,
  params: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const abort = new AbortController();
  return new EventStream(await server.post(method, params, headers, abort.signal), 1, abort);
}

export function subscribe(server: ServerProcess, id: string, cursor?: string): Promise<EventStream> {
  return stream(server, 'tasks/resubscribe', { id }, cursor === undefined ? {} : { 'Last-Event-ID': cursor });
}

export const frameOf = ({ answer }: StreamedAnswer): Frame => answer.result as Frame;

/** Number of an event or of the task at the head of a stream, from its cursor. */
export const seqOf = ({ cursor }: StreamedAnswer): number => Number(cursor?.split('-')[1]);

/** Text of a task's artifact as a reader puts it together: a task starts it anew, a chunk follows. */
export function textOf(events: readonly StreamedAnswer[]): string {
  let text = '';
  for (const { kind, artifact, artifacts = [] } of events.map(frameOf)) {
    if (kind === 'task') text = '';
    const pieces = artifact === undefined ? artifacts : [artifact];
    text += pieces.flatMap(({ parts }) => parts.map((part) => part.text ?? '')).join('');
  }
  return text;
}
