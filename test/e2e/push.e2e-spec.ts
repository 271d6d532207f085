import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServerProcess, TestDatabase } from '@cleveragents/testing';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

interface ReceivedCall {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly seq: number;
  readonly state: string | undefined;
}

interface Task {
  readonly id: string;
  readonly status: { readonly state: string };
}

let database: TestDatabase;
let server: ServerProcess;
let receiver: Server;
let url: string;
let calls: ReceivedCall[];
/** What the receiver answers to an event; null = nothing. */
let answerTo: (call: ReceivedCall) => number | null;

beforeAll(async () => {
  database = await TestDatabase.create();
});

afterAll(() => database.drop());

beforeEach(async () => {
  calls = [];
  answerTo = () => 204;
  receiver = createServer((request, response) => {
    void received(request).then((call) => {
      calls.push(call);
      const status = answerTo(call);
      if (status !== null) response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});

afterEach(async () => {
  await server.end('SIGTERM');
  receiver.closeAllConnections();
  receiver.close();
});

async function received(request: IncomingMessage): Promise<ReceivedCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const { status } = JSON.parse(text) as Partial<Task>;
  return { headers: request.headers, text, seq: Number(request.headers['x-a2a-event-seq']), state: status?.state };
}

async function start(variables: Readonly<Record<string, string>> = {}): Promise<void> {
  server = await ServerProcess.start(
    database.variables({ A2A_TEST_AGENT: 'on', PUSH_ALLOW_LOOPBACK: 'on', LOG_LEVEL: 'debug', ...variables }),
  );
}

async function send(text: string, pushNotificationConfig?: object): Promise<Task> {
  const message = { kind: 'message', role: 'user', messageId: randomUUID(), parts: [{ kind: 'text', text }] };
  const configuration = { blocking: false, pushNotificationConfig };
  const { result } = await server.call('message/send', { message, configuration });
  return result as Task;
}

async function stateOf(id: string): Promise<string> {
  const { result } = await server.call('tasks/get', { id });
  return (result as Task).status.state;
}

describe('R24: a server that is killed between the commit of an event and its delivery', () => {
  it('delivers it after its restart, with the credentials, in order', async () => {
    await start();
    // The pieces are accepted at last after the restart: until then the end of the task waits behind them.
    answerTo = ({ seq }) => (seq > 3 ? null : 204);
    const authentication = { schemes: ['Bearer'], credentials: 'tok-one' };
    const { id } = await send('chunks: a|b every 200', { url, token: 'nt-1', authentication });
    await expect.poll(() => stateOf(id), { timeout: 20_000 }).toBe('completed');
    await expect.poll(() => calls.some(({ seq }) => seq > 3)).toBe(true);
    await server.end('SIGKILL');
    expect(calls.some(({ state }) => state === 'completed')).toBe(false);
    const log = server.log;

    answerTo = () => 204;
    await start();
    await expect.poll(() => calls.at(-1)?.state, { timeout: 20_000 }).toBe('completed');
    const seqs = calls.map(({ seq }) => seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    expect(new Set(seqs).size).toBe(Math.max(...seqs));
    const bodies = new Map(calls.map(({ seq, text }) => [seq, text]));
    for (const { seq, text, headers } of calls) {
      expect(text).toBe(bodies.get(seq));
      expect(headers).toMatchObject({ authorization: 'Bearer tok-one', 'x-a2a-notification-token': 'nt-1' });
    }
    expect(log + server.log).not.toMatch(/tok-one|nt-1/);
  });
});

describe('push notifications of the whole server', () => {
  it('are promised by the card, and signed with a key that the server publishes', async () => {
    await start();
    const card = (await (await fetch(`${server.baseUrl}/.well-known/agent-card.json`)).json()) as {
      capabilities: { pushNotifications: boolean };
    };
    expect(card.capabilities.pushNotifications).toBe(true);
    await send('echo: x', { url });
    await expect.poll(() => calls.length).toBeGreaterThan(0);
    const keys = createRemoteJWKSet(new URL(`${server.baseUrl}/.well-known/jwks.json`));
    const claims = { issuer: server.baseUrl, audience: new URL(url).origin };
    const { payload } = await jwtVerify(String(calls[0]?.headers['x-a2a-signature']), keys, claims);
    expect(payload).toMatchObject({ seq: 1 });
  });
});
