import { Injectable } from '@nestjs/common';
import { BlobStore } from '@cleveragents/blob';
import type { LargeContent } from '../domain/large-parts.js';

/** Keeps the content of large artifact parts, before the event that points to it is durable: no URL leads nowhere. */
@Injectable()
export class LargeContents {
  constructor(private readonly blobs: BlobStore) {}

  async keep(contents: readonly LargeContent[]): Promise<void> {
    for (const { key, bytes, mediaType, filename } of contents)
      await this.blobs.put(key, bytes, { mediaType, filename });
  }
}
