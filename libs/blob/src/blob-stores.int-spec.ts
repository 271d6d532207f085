import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ResourceNotFoundError, newUlid } from '@cleveragents/kernel';
import { makeTestDirectory } from '@cleveragents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlobStore } from './blob-store.js';
import { FileBlobStore } from './file-blob-store.js';
import { S3BlobStore } from './s3-blob-store.js';
import { S3LikeServer } from './s3-like-server.fixture.js';

const TEXT = { mediaType: 'text/plain; charset=utf-8', filename: 'notes.txt' };

function itIsABlobStore(store: () => BlobStore): void {
  it('gives back bytes, media type and file name', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256));
    const meta = { mediaType: 'image/png', filename: 'résumé "日本" 100%.png' };
    const key = newUlid();
    await store().put(key, bytes, meta);
    const blob = await store().get(key);
    expect(blob).toMatchObject({ meta, size: 300_000 });
    expect((await buffer(blob.content)).equals(bytes)).toBe(true);
  });

  it('keeps an empty blob, and one without a name', async () => {
    const key = newUlid();
    await store().put(key, new Uint8Array(), { mediaType: 'text/plain', filename: null });
    const blob = await store().get(key);
    expect(blob).toMatchObject({ meta: { mediaType: 'text/plain', filename: null }, size: 0 });
    expect(await buffer(blob.content)).toHaveLength(0);
  });

  it('replaces what was under the key', async () => {
    const key = newUlid();
    await store().put(key, Buffer.from('first'), TEXT);
    await store().put(key, Buffer.from('second'), { ...TEXT, filename: 'other.txt' });
    const blob = await store().get(key);
    expect(blob.meta.filename).toBe('other.txt');
    expect((await buffer(blob.content)).toString()).toBe('second');
  });

  it('makes a media type and a file name safe before it keeps them', async () => {
    const key = newUlid();
    await store().put(key, Buffer.from('x'), { mediaType: 'a/b\r\nX-Evil: 1', filename: '../../up.txt\r\n' });
    const blob = await store().get(key);
    expect(blob.meta).toEqual({ mediaType: 'application/octet-stream', filename: 'up.txt' });
    blob.content.destroy();
  });

  it('does not find what was never put or has been deleted, and deletes twice', async () => {
    const key = newUlid();
    await expect(store().get(key)).rejects.toBeInstanceOf(ResourceNotFoundError);
    await store().put(key, Buffer.from('x'), TEXT);
    await store().delete(key);
    await store().delete(key);
    await expect(store().get(key)).rejects.toBeInstanceOf(ResourceNotFoundError);
  });

  it.each(['../secret', '', '.', 'a/b', '..%2fsecret', '01ARZ3NDEKTSV4RRFFQ69G5FA'])(
    'neither reads, writes nor deletes under %j, which is no key',
    async (key) => {
      await expect(store().get(key)).rejects.toBeInstanceOf(ResourceNotFoundError);
      await expect(store().put(key, Buffer.from('x'), TEXT)).rejects.toBeInstanceOf(TypeError);
      await store().delete(key);
    },
  );
}

describe('FileBlobStore', () => {
  let dataDir: string;
  let store: FileBlobStore;
  beforeAll(async () => {
    dataDir = await makeTestDirectory();
    store = new FileBlobStore(join(dataDir, 'blobs'));
  });

  itIsABlobStore(() => store);

  it('lets only its owner read, and leaves nothing else behind', async () => {
    const directory = join(dataDir, 'tidy');
    const key = newUlid();
    await new FileBlobStore(directory).put(key, Buffer.from('x'), TEXT);
    expect(await readdir(directory)).toEqual([key]);
    expect((await stat(join(directory, key))).mode & 0o777).toBe(0o600);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  });

  it('leaves nothing behind when it cannot write', async () => {
    const directory = join(dataDir, 'blocked');
    const key = newUlid();
    await mkdir(join(directory, key, 'in-the-way'), { recursive: true });
    await expect(new FileBlobStore(directory).put(key, Buffer.from('x'), TEXT)).rejects.toThrow('rename');
    expect(await readdir(directory)).toEqual([key]);
  });

  it('does not leave its directory for a neighbour', async () => {
    await writeFile(join(dataDir, 'secret'), 'kept');
    await store.delete('../secret');
    expect(await readFile(join(dataDir, 'secret'), 'utf8')).toBe('kept');
  });
});

describe('S3BlobStore', () => {
  const server = new S3LikeServer();
  let store: S3BlobStore;
  beforeAll(async () => {
    store = storeAt(await server.start());
  });
  afterAll(() => server.stop());

  function storeAt(endpoint: string): S3BlobStore {
    return new S3BlobStore({
      endpoint,
      region: 'eu-west-3',
      bucket: 'outputs',
      prefix: 'team/',
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI',
    });
  }

  itIsABlobStore(() => store);

  it('signs every request, its body and its file name included', async () => {
    const key = newUlid();
    server.requests.length = 0;
    await store.put(key, Buffer.from('hello'), TEXT);
    const blob = await store.get(key);
    blob.content.destroy();
    await store.delete(key);
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
      ['PUT', 'GET', 'DELETE'].map((method) => `${method} /outputs/team/${key}`),
    );
    for (const { headers } of server.requests) {
      expect(headers['x-amz-date']).toMatch(/^\d{8}T\d{6}Z$/);
      expect(headers.authorization).toMatch(
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-3\/s3\/aws4_request, SignedHeaders=host;[\w;-]*x-amz-content-sha256;x-amz-date[\w;-]*, Signature=[0-9a-f]{64}$/,
      );
      expect(JSON.stringify(headers)).not.toContain('wJalrXUtnFEMI');
    }
    expect(server.requests[0]?.headers).toMatchObject({
      'content-length': '5',
      'content-type': 'text/plain; charset=utf-8',
      'x-amz-content-sha256': '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
      authorization: expect.stringContaining('x-amz-meta-filename'),
    });
  });

  it('tries again when the service is overloaded', async () => {
    const key = newUlid();
    server.failNext(503, 2);
    await store.put(key, Buffer.from('x'), TEXT);
    const blob = await store.get(key);
    expect((await buffer(blob.content)).toString()).toBe('x');
  });

  it.each([
    [403, 'PUT', () => store.put(newUlid(), Buffer.from('x'), TEXT)],
    [404, 'PUT', () => store.put(newUlid(), Buffer.from('x'), TEXT)],
    [403, 'GET', () => store.get(newUlid())],
    [403, 'DELETE', () => store.delete(newUlid())],
  ])('reports %d to %s as a fault, not as a missing blob', async (status, method, call) => {
    server.failNext(status, 1);
    await expect(call()).rejects.toThrow(`The blob store answered ${status} to ${method}`);
  });

  it('rejects when the service is not there', async () => {
    const other = new S3LikeServer();
    const gone = await other.start();
    await other.stop();
    await expect(storeAt(gone).put(newUlid(), Buffer.from('x'), TEXT)).rejects.toThrow('fetch failed');
  });
});
