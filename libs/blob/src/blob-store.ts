import type { Readable } from 'node:stream';
import { ResourceNotFoundError, isUlid } from '@cleveragents/kernel';
import { cleanMeta, type BlobMeta } from './blob-meta.js';

export interface StoredBlob {
  readonly meta: BlobMeta;
  /** In bytes. */
  readonly size: number;
  /** To be read to its end or destroyed. */
  readonly content: Readable;
}

/**
 * Keeps large outputs under keys that are ULIDs, so that no key can name a place outside the store. A blob is there as
 * a whole or not at all.
 */
export abstract class BlobStore {
  async put(key: string, bytes: Uint8Array, meta: BlobMeta): Promise<void> {
    if (!isUlid(key)) throw new TypeError('The key of a blob must be a ULID');
    await this.write(key, bytes, cleanMeta(meta));
  }

  async get(key: string): Promise<StoredBlob> {
    const blob = isUlid(key) ? await this.read(key) : null;
    if (blob === null) throw blobNotFound();
    return blob;
  }

  /** A blob that is not there is as good as deleted. */
  async delete(key: string): Promise<void> {
    if (isUlid(key)) await this.remove(key);
  }

  protected abstract write(key: string, bytes: Uint8Array, meta: BlobMeta): Promise<void>;
  protected abstract read(key: string): Promise<StoredBlob | null>;
  protected abstract remove(key: string): Promise<void>;
}

/** One error for a blob that is gone, and for a URL that is forged or expired: it tells nothing about what exists. */
export function blobNotFound(): ResourceNotFoundError {
  return ResourceNotFoundError.of('Blob', {});
}
