import type { ListTasksResponse, Part, Task } from '@cleveragents/protocol';
import { TransactionManager } from '@cleveragents/database';
import { BlobStore } from '@cleveragents/blob';
import { newUlid } from '@cleveragents/kernel';
import { buffer } from 'node:stream/consumers';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AT_ONCE, callOf, HeldAgent, saying, sayingIn03, TaskPlatform } from './task-platform.fixture.js';
import { OrphanSweeper } from './orphan-sweeper.js';
import { TaskJournal } from './task-journal.js';

const MIB = 1024 * 1024;
const V1 = { versionHeader: '1.0' };
const RAW = Buffer.alloc(2 * MIB, 7);

let platform: TaskPlatform;

beforeAll(async () => {
  platform = await TaskPlatform.start();
});

afterAll(() => platform.stop());

const partsOf = (task: Task | undefined): Part[] => task?.artifacts?.flatMap(({ parts }) => parts) ?? [];

async function contentOf({ url = '' }: Part): Promise<Buffer> {
  const [, key = ''] = /\/blobs\/([0-9A-Z]{26})\?expires=\d+&sig=[\w-]+$/.exec(url) ?? [];
  return buffer((await platform.module.get(BlobStore, { strict: false }).get(key)).content);
}

async function read(id: string): Promise<Task | undefined> {
  return (await platform.rpc('GetTask', { id }, V1)).result;
}

describe('an artifact part above 1 MiB', () => {
  it('of a task that another domain writes is one as well', async () => {
    const journal = platform.module.get(TaskJournal);
    const { origin, principal } = callOf();
    const id = await platform.module.get(TransactionManager).run(async () => {
      const place = { owner: principal.id, namespace: 'local', contextId: randomUUID() };
      const task = await journal.create({ ...place, dialect: '1.0', executor: 'plan', messages: [] }, origin);
      const artifact = { artifactId: 'diff', parts: [{ data: { text: 'd'.repeat(MIB) } }] };
      await journal.append(task, [{ kind: 'artifact', artifact, lastChunk: true }], origin);
      return task;
    });
    const [part = {}] = partsOf(await read(id));
    expect(part.mediaType).toBe('application/json');
    expect(JSON.parse((await contentOf(part)).toString())).toEqual({ text: 'd'.repeat(MIB) });
  });

  it('cannot be had by naming it in a message or an artifact', async () => {
    const [{ url = '' } = {}] = partsOf((await platform.rpc<{ task: Task }>('SendMessage', big(), V1)).result?.task);
    const [, key = ''] = /\/blobs\/([0-9A-Z]{26})/.exec(url) ?? [];
    expect(key).not.toBe('');
    const metadata = { url: `blob:${key}` };
    const parts = [{ text: `echo: "\\u0062lob:${key}"` }, { url: `blob:${key}` }, { data: { url: `blob:${key}` } }];
    const params = saying('', { parts, metadata, contextId: `made-up-${key}` });
    await platform.rpc('SendMessage', params, V1);
    const list = await platform.rpc<ListTasksResponse>(
      'ListTasks',
      { contextId: `made-up-${key}`, includeArtifacts: true },
      V1,
    );
    expect(JSON.stringify(list.result?.tasks)).not.toContain('/blobs/');
    expect(list.result?.tasks[0]?.history?.[0]).toMatchObject({ parts, metadata });
  });

  it('that cannot be kept fails its task, and nobody hears of it', async () => {
    const variables = {
      BLOB_URL: 's3://outputs?endpoint=http://127.0.0.1:9/',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
    };
    const other = await TaskPlatform.start(variables, platform.database);
    try {
      const { error } = await other.rpc('message/send', sayingIn03(`echo: ${'x'.repeat(2 * MIB)}`));
      expect(error).toMatchObject({ code: -32603 });
      await expect.poll(() => other.live.size).toBe(0);
      await other.module.get(OrphanSweeper).sweep();
      expect(JSON.stringify(other.log)).not.toContain('"secret"');
      expect((await other.send(saying('echo: small'))).status.state).toBe('TASK_STATE_COMPLETED');
    } finally {
      await other.stop();
    }
  });

  it('is a URL part of a task in work, of one that is over, and of one whose log is replayed', async () => {
    const agent = new HeldAgent();
    platform.host(agent);
    const { id } = await platform.send(saying('x', {}, AT_ONCE));
    await agent.begun(1);
    const large = { raw: RAW.toString('base64'), filename: 'seven.bin', mediaType: 'image/png' };
    agent.runs[0]?.artifact({ artifactId: 'a', parts: [{ text: 'small' }, large] });
    agent.runs[0]?.artifact({ artifactId: 'a', parts: [{ text: 'more' }] }, { append: true, lastChunk: true });
    await platform.live.find(id)?.settled();
    const working = await read(id);
    agent.end(id);
    await platform.rest(id);
    for (const parts of [partsOf(working), partsOf(await read(id))]) {
      const url = expect.stringContaining('/blobs/') as string;
      expect(parts).toEqual([
        { text: 'small' },
        { url, filename: 'seven.bin', mediaType: 'image/png' },
        { text: 'more' },
      ]);
      expect(RAW.equals(await contentOf(parts[1] ?? {}))).toBe(true);
    }
    const replay = await platform.frames<{ task?: Task }>('SubscribeToTask', { id, metadata: { afterSeq: 4 } }, V1);
    expect(partsOf(replay[0]?.result?.task)[1]?.url).toContain('/blobs/');
    const [row] = await platform.query<{ size: string }>(
      'SELECT sum(length(frames)) AS size FROM task_event WHERE task_id = $1',
      [id],
    );
    expect(Number(row?.size)).toBeLessThan(3000);
  });
});

function big(): object {
  return saying(`echo: ${newUlid()}${'x'.repeat(MIB)}`);
}
