import { randomUUID } from 'node:crypto';
import { ServerProcess, TestDatabase } from '@cleveragents/testing';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const SECRET = 's3cret';

let database: TestDatabase;
let server: ServerProcess;

beforeAll(async () => {
  database = await TestDatabase.create();
  server = await ServerProcess.start(database.variables({ A2A_TEST_AGENT: 'on' }));
});

afterAll(async () => {
  await server.end('SIGTERM');
  await database.drop();
});

interface Frame {
  readonly kind: string;
  readonly id?: string;
  readonly final?: boolean;
  readonly status?: { readonly state: string; readonly message?: { readonly parts: readonly { text: string }[] } };
}

function message(text: string): object {
  return { message: { kind: 'message', role: 'user', messageId: randomUUID(), parts: [{ kind: 'text', text }] } };
}

async function stream(text: string): Promise<Frame[]> {
  const response = await fetch(`${server.baseUrl}/a2a`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${server.token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'message/stream', params: message(text) }),
  });
  const body = await response.text();
  expect(body).not.toContain(SECRET);
  const events: EventSourceMessage[] = [];
  createParser({ onEvent: (event) => events.push(event) }).feed(body);
  return events.map(({ data }) => (JSON.parse(data) as { result: Frame }).result);
}

async function storedState(frames: readonly Frame[]): Promise<string | undefined> {
  const { result } = await server.call('tasks/get', { id: frames[0]?.id });
  expect(JSON.stringify(result)).not.toContain(SECRET);
  return (result as Frame).status?.state;
}

/** The text that a failed task shows, which must lead to the log and say nothing else. */
function correlationIdIn(status: Frame['status']): string {
  const text = status?.message?.parts[0]?.text ?? '';
  const [, id = ''] = /\(correlation id ([^)]+)\)$/.exec(text) ?? [];
  expect(id).not.toBe('');
  expect(text.length).toBeLessThan(120);
  return id;
}

describe('R14: the executor blows up', () => {
  it('fails the streamed task after two chunks, with a final frame and the secret in the log alone', async () => {
    const frames = await stream('throw-after: 2 chunks');
    expect(frames.map(({ kind }) => kind)).toEqual([
      'task',
      'status-update',
      'artifact-update',
      'artifact-update',
      'status-update',
    ]);
    const last = frames.at(-1);
    expect([last?.status?.state, last?.final]).toEqual(['failed', true]);
    expect(await storedState(frames)).toBe('failed');
    const id = correlationIdIn(last?.status);
    await expect.poll(() => server.log).toContain(SECRET);
    expect(server.log.split('\n').find((line) => line.includes(SECRET))).toContain(id);
  });

  it('answers a failed task when the agent throws at once', async () => {
    const { result } = await server.call('message/send', message('throw-now'));
    expect(JSON.stringify(result)).not.toContain(SECRET);
    expect((result as Frame).status?.state).toBe('failed');
    correlationIdIn((result as Frame).status);
  });

  it('fails the task of an agent that returns without a result, and says so', async () => {
    const frames = await stream('return-early');
    const status = frames.at(-1)?.status;
    expect(status?.state).toBe('failed');
    expect(status?.message?.parts[0]?.text).toContain('ended without a result');
    expect(await storedState(frames)).toBe('failed');
  });

  it('keeps the process and the state when a promise is rejected after the end', async () => {
    const frames = await stream('reject-later');
    expect(frames.at(-1)?.status?.state).toBe('completed');
    await expect.poll(() => server.log).toContain('unhandled rejection');
    expect(await storedState(frames)).toBe('completed');
    expect(server.isRunning).toBe(true);
    expect((await server.call('_cleveragents/health/check', {})).result).toMatchObject({ status: 'ok' });
  });
});
