import { join } from 'node:path';
import { SignedUrls } from '@cleveragents/blob';
import { newUlid, SystemClock } from '@cleveragents/kernel';
import type { Artifact, ListTasksResponse, Part, StreamResponse, Task } from '@cleveragents/protocol';
import { openKeyFile } from '@cleveragents/secret';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestServer } from './test-server.js';

const TEXT = 'é0123456789\n'.repeat(180_000);
const V1 = { 'a2a-version': '1.0' };

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start();
});

afterAll(() => server.stop());

const sending = (text: string) => ({ message: { messageId: newUlid(), role: 'ROLE_USER', parts: [{ text }] } });

async function call<T>(method: string, params: object): Promise<T> {
  const response = await server.post({ jsonrpc: '2.0', id: 1, method, params }, V1);
  return ((await response.json()) as { result: T }).result;
}

async function frames(method: string, params: object): Promise<StreamResponse[]> {
  const response = await server.post({ jsonrpc: '2.0', id: 1, method, params }, V1);
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data:'));
  return lines.map((line) => (JSON.parse(line.slice(5)) as { result: StreamResponse }).result);
}

const partOf = (artifacts: readonly (Artifact | undefined)[] | undefined): Part => artifacts?.[0]?.parts[0] ?? {};
const pathOf = (part: Part): string => (part.url ?? '').slice(server.url.length);

async function sent(): Promise<Task> {
  const { task } = await call<{ task: Task }>('SendMessage', sending(`echo: ${TEXT}`));
  return task;
}

describe('an artifact part above 1 MiB', () => {
  it('comes as a URL in every answer, which opens the content without a token', async () => {
    const task = await sent();
    const read = await call<Task>('GetTask', { id: task.id });
    const { tasks } = await call<ListTasksResponse>('ListTasks', { contextId: task.contextId, includeArtifacts: true });
    for (const artifacts of [task.artifacts, read.artifacts, tasks[0]?.artifacts]) {
      const part = partOf(artifacts);
      expect(part).toEqual({ url: expect.any(String) as string, mediaType: 'text/plain; charset=utf-8' });
      expect(part.url?.startsWith(`${server.url}/blobs/`)).toBe(true);
      const answer = await server.get(pathOf(part));
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(answer.headers.get('content-disposition')).toBe('attachment');
      expect((await answer.text()) === TEXT).toBe(true);
    }
    const head = await server.get(pathOf(partOf(read.artifacts)), {}, 'HEAD');
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(TEXT)));
  });

  it('comes as a URL in streams of every generation', async () => {
    const updates = (await frames('SendStreamingMessage', sending(`echo: ${TEXT}`))).map(
      (frame) => frame.artifactUpdate,
    );
    const part = partOf([updates.find((update) => update !== undefined)?.artifact]);
    expect((await (await server.get(pathOf(part))).text()) === TEXT).toBe(true);

    const message = {
      kind: 'message',
      role: 'user',
      messageId: newUlid(),
      parts: [{ kind: 'text', text: `echo: ${TEXT}` }],
    };
    const response = await server.post({ jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message } });
    const [, file = '{}'] = /"file":({[^}]*})/.exec(await response.text()) ?? [];
    const uri = expect.stringMatching(`^${server.url}/blobs/`) as string;
    expect(JSON.parse(file)).toEqual({ uri, mimeType: 'text/plain; charset=utf-8' });
  });

  it('is not opened by a URL that is forged, has expired, or names nothing', async () => {
    const path = pathOf(partOf((await sent()).artifacts));
    const key = path.slice('/blobs/'.length).split('?')[0] ?? '';
    const urls = new SignedUrls(await openKeyFile(join(server.dataDir, 'blob-secret')), new SystemClock());
    const refused = [
      path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      path.replace(key, newUlid()),
      path.replace(/expires=\d/, 'expires=9'),
      urls.make(key, { expiresInS: -1 }),
      urls.make(newUlid(), { expiresInS: 60 }),
      `/blobs/${key}`,
      `/blobs/${key}?expires=1&expires=2&sig=x`,
      '/blobs/..%2Ftoken?expires=9999999999&sig=x',
    ];
    for (const bad of refused) {
      const answer = await server.get(bad);
      expect([bad, answer.status]).toEqual([bad, 404]);
      expect(await answer.json()).toEqual({ error: 'Blob not found', reason: 'BLOB_NOT_FOUND' });
    }
    expect((await server.get(path)).status).toBe(200);
  });
});
