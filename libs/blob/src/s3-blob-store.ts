import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { S3Config } from '@cleveragents/config';
import { AwsClient } from 'aws4fetch';
import type { BlobMeta } from './blob-meta.js';
import { BlobStore, type StoredBlob } from './blob-store.js';

const RETRIES = 3;
const WRITE_LIMIT_MS = 30_000;

/** Objects of a bucket of S3, or of a service that speaks its protocol; addressed by path, which all of them know. */
export class S3BlobStore extends BlobStore {
  private readonly client: AwsClient;
  private readonly base: string;

  constructor({ endpoint, bucket, prefix, region, accessKeyId, secretAccessKey }: S3Config) {
    super();
    this.client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES });
    this.base = `${endpoint}/${bucket}/${prefix}`;
  }

  /** The hash of the body is signed too: it vouches for the bytes where the connection does not. */
  protected async write(key: string, bytes: Uint8Array, { mediaType, filename }: BlobMeta): Promise<void> {
    const response = await this.send('PUT', key, {
      headers: {
        'content-type': mediaType,
        'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex'),
        ...(filename === null ? {} : { 'x-amz-meta-filename': encodeURIComponent(filename) }),
      },
      body: bytes,
      signal: AbortSignal.timeout(WRITE_LIMIT_MS),
    });
    await response.body?.cancel();
  }

  protected async read(key: string): Promise<StoredBlob | null> {
    const response = await this.send('GET', key);
    if (response.status === 404 || response.body === null) return null;
    const filename = response.headers.get('x-amz-meta-filename');
    return {
      meta: {
        mediaType: response.headers.get('content-type') ?? '',
        filename: filename === null ? null : decodeURIComponent(filename),
      },
      size: Number(response.headers.get('content-length')),
      content: Readable.fromWeb(response.body),
    };
  }

  protected async remove(key: string): Promise<void> {
    const response = await this.send('DELETE', key, { signal: AbortSignal.timeout(WRITE_LIMIT_MS) });
    await response.body?.cancel();
  }

  /** 404 is an answer; anything else that is no success is a fault of the set-up or of the service. */
  private async send(method: string, key: string, init: RequestInit = {}): Promise<Response> {
    const response = await this.client.fetch(this.base + key, { ...init, method });
    if (response.ok || (response.status === 404 && method !== 'PUT')) return response;
    await response.body?.cancel();
    throw new Error(`The blob store answered ${response.status} to ${method}`);
  }
}
