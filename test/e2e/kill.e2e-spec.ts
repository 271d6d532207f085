import { randomUUID } from 'node:crypto';
import { ServerProcess, TestDatabase } from '@cleveragents/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const SENDS = 200;
/** A quick task, one that is answered while it works, and one whose caller is still waiting at the kill. */
const TEXTS = ['echo: quick', 'slow: 60000', 'slow: 60000'];

let database: TestDatabase;
let server: ServerProcess;

beforeAll(async () => {
  database = await TestDatabase.create();
});

afterAll(async () => {
  await server.end('SIGTERM');
  await database.drop();
});

interface SentTask {
  readonly id: string;
  readonly status: { readonly state: string };
}

function start(): Promise<ServerProcess> {
  return ServerProcess.start(database.variables({ A2A_TEST_AGENT: 'on' }));
}

async function send(kind: number): Promise<SentTask | null> {
  const params = {
    message: { kind: 'message', role: 'user', messageId: randomUUID(), parts: [{ kind: 'text', text: TEXTS[kind] }] },
    configuration: { blocking: kind !== 1 },
  };
  const answer = await server.call('message/send', params).catch(() => null);
  return (answer?.result as SentTask | undefined) ?? null;
}

async function query<T>(text: string): Promise<T[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(text)).rows as T[];
  } finally {
    await client.end();
  }
}

describe('kill -9 of the server', () => {
  it('loses no acknowledged task, and leaves none in work without a runner', async () => {
    server = await start();
    const acknowledged: SentTask[] = [];
    let isKilled = false;
    const sends = Array.from({ length: SENDS }, async (_, index) => {
      const task = await send(index % TEXTS.length);
      if (task === null) return;
      acknowledged.push(task);
      // The blow falls while most of the calls are under way.
      if (acknowledged.length === SENDS / 10 && !isKilled) {
        isKilled = true;
        await server.end('SIGKILL');
      }
    });
    await Promise.all(sends);
    expect(isKilled).toBe(true);

    server = await start();
    for (const { id, status } of acknowledged) {
      const { result } = await server.call('tasks/get', { id });
      const found = result as SentTask;
      expect(found.id).toBe(id);
      expect(found.status.state).toBe(status.state === 'completed' ? 'completed' : 'failed');
    }
    const open = await query(`SELECT id FROM task WHERE state IN ('TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING')`);
    expect(open).toEqual([]);
    const unaudited = await query(
      `SELECT id FROM task WHERE id::text NOT IN (SELECT task_id FROM audit WHERE task_id IS NOT NULL)`,
    );
    expect(unaudited).toEqual([]);
    const [lost] = await query<{ count: string }>(
      `SELECT count(*) FROM task WHERE status LIKE '%The agent was lost%' AND state = 'TASK_STATE_FAILED'`,
    );
    expect(Number(lost?.count)).toBeGreaterThan(0);
  });
});
