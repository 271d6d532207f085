import { buffer } from 'node:stream/consumers';
import { Test, type TestingModule } from '@nestjs/testing';
import { ConfigModule, readConfig } from '@cleveragents/config';
import { ResourceNotFoundError, newUlid } from '@cleveragents/kernel';
import { makeTestDirectory } from '@cleveragents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BlobDownloads } from './blob-downloads.js';
import { BlobModule } from './blob.module.js';
import { BlobStore } from './blob-store.js';
import { SignedUrls, type SignedQuery } from './signed-urls.js';

describe('BlobDownloads', () => {
  let dataDir: string;
  let app: TestingModule;
  beforeAll(async () => {
    dataDir = await makeTestDirectory();
    app = await start();
  });
  afterAll(() => app.close());

  async function start(): Promise<TestingModule> {
    const config = readConfig({ variables: { DATA_DIR: dataDir }, workingDirectory: '/', isTerminal: false });
    return Test.createTestingModule({ imports: [ConfigModule.forRoot(config), BlobModule] }).compile();
  }

  function queryOf(key: string, expiresInS: number): SignedQuery {
    const url = app.get(SignedUrls).make(key, { expiresInS });
    return Object.fromEntries(new URL(url, 'http://server.test').searchParams);
  }

  async function put(meta: { mediaType: string; filename: string | null }): Promise<string> {
    const key = newUlid();
    await app.get(BlobStore).put(key, Buffer.from('<script>alert(1)</script>'), meta);
    return key;
  }

  it('opens what was put, as something to save and never to show', async () => {
    const key = await put({ mediaType: 'text/html', filename: 'page.html' });
    const { headers, content } = await app.get(BlobDownloads).open(key, queryOf(key, 600));
    expect((await buffer(content)).toString()).toBe('<script>alert(1)</script>');
    expect(headers).toEqual({
      'Content-Type': 'text/html',
      'Content-Length': '25',
      'Content-Disposition': `attachment; filename="page.html"; filename*=UTF-8''page.html`,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': expect.stringMatching(/^private, max-age=(600|59\d), immutable$/),
    });
  });

  it.each([
    [null, 'attachment'],
    ['a "b" c%.txt', `attachment; filename="a _b_ c_.txt"; filename*=UTF-8''a%20%22b%22%20c%25.txt`],
    ["l'été (1)*.txt", `attachment; filename="l'_t_ (1)*.txt"; filename*=UTF-8''l%27%C3%A9t%C3%A9%20%281%29%2A.txt`],
  ])('names the file %j as %s', async (filename, disposition) => {
    const key = await put({ mediaType: 'text/plain', filename });
    const { headers, content } = await app.get(BlobDownloads).open(key, queryOf(key, 60));
    content.destroy();
    expect(headers['Content-Disposition']).toBe(disposition);
  });

  it('answers alike to an expired URL, a forged one and a blob that is gone', async () => {
    const key = await put({ mediaType: 'text/plain', filename: null });
    const gone = newUlid();
    const calls = [
      app.get(BlobDownloads).open(key, queryOf(key, -1)),
      app.get(BlobDownloads).open(key, { ...queryOf(key, 60), sig: 'A'.repeat(43) }),
      app.get(BlobDownloads).open(gone, queryOf(gone, 60)),
      app.get(BlobDownloads).open('../blob-secret', queryOf('../blob-secret', 60)),
    ];
    const outcomes = await Promise.allSettled(calls);
    const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as unknown) : null));
    for (const reason of reasons) {
      expect(reason).toBeInstanceOf(ResourceNotFoundError);
      expect(reason).toMatchObject({ message: 'Blob not found', reason: 'BLOB_NOT_FOUND' });
    }
  });

  it('opens URLs that were made before a restart', async () => {
    const key = await put({ mediaType: 'text/plain', filename: null });
    const query = queryOf(key, 60);
    const restarted = await start();
    const { content } = await restarted.get(BlobDownloads).open(key, query);
    expect(await buffer(content)).toHaveLength(25);
    await restarted.close();
  });
});
