import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { BlobStore, type StoredBlob } from './blob-store.js';
import { SignedUrls, type SignedQuery } from './signed-urls.js';

export interface BlobDownload {
  readonly headers: Readonly<Record<string, string>>;
  /** To be sent to its end or destroyed. */
  readonly content: Readable;
}

/** What stands behind a signed URL. Fails alike with not found for a URL that is wrong or old and a blob that is gone. */
@Injectable()
export class BlobDownloads {
  constructor(
    private readonly urls: SignedUrls,
    private readonly store: BlobStore,
  ) {}

  async open(key: string, query: SignedQuery): Promise<BlobDownload> {
    const remainingS = this.urls.verify(key, query);
    const blob = await this.store.get(key);
    return { headers: headersOf(blob, remainingS), content: blob.content };
  }
}

/**
 * An agent made the bytes, perhaps from a stranger's words: a browser must save them, and neither guess a type nor run
 * anything. The cache of one person may keep them as long as the URL is good, a shared one not at all.
 */
function headersOf({ meta, size }: StoredBlob, remainingS: number): Record<string, string> {
  return {
    'Content-Type': meta.mediaType,
    'Content-Length': String(size),
    'Content-Disposition': dispositionOf(meta.filename),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cache-Control': `private, max-age=${remainingS}, immutable`,
  };
}

/** RFC 6266: the name in ASCII for old readers, and in full. */
function dispositionOf(filename: string | null): string {
  if (filename === null) return 'attachment';
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const full = encodeURIComponent(filename).replace(/['()*]/g, percentEncoded);
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`;
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
