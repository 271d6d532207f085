import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceOwnerFile } from '@cleveragents/secret';
import type { BlobMeta } from './blob-meta.js';
import { BlobStore, type StoredBlob } from './blob-store.js';

const NEWLINE = 0x0a;
/** More than the longest head: `cleanMeta` bounds both members. */
const HEAD_BYTES = 4096;

/** One file per blob: a line of JSON that describes it, then its bytes. One file, because one rename makes it appear. */
export class FileBlobStore extends BlobStore {
  constructor(private readonly directory: string) {
    super();
  }

  protected async write(key: string, bytes: Uint8Array, meta: BlobMeta): Promise<void> {
    const head = Buffer.from(`${JSON.stringify({ mediaType: meta.mediaType, filename: meta.filename })}\n`);
    await replaceOwnerFile(this.pathOf(key), Buffer.concat([head, bytes]));
  }

  protected async read(key: string): Promise<StoredBlob | null> {
    const file = await openIfPresent(this.pathOf(key));
    if (file === null) return null;
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      const headEnd = buffer.subarray(0, bytesRead).indexOf(NEWLINE);
      const meta = JSON.parse(buffer.toString('utf8', 0, headEnd)) as BlobMeta;
      return { meta, size: size - headEnd - 1, content: file.createReadStream({ start: headEnd + 1 }) };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  protected async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  private pathOf(key: string): string {
    return join(this.directory, key);
  }
}

async function openIfPresent(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
