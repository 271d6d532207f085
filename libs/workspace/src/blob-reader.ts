import { createHash } from 'node:crypto';
import { BusinessRuleViolation } from '@cleveragents/kernel';
import type { FileContent } from './change-set.js';
import type { Git, GitPlace } from './git.js';
import { splitNul } from './git-output.js';

/** Bytes of content that one git call is asked for; a single larger file gets a call of its own. */
const BATCH_BYTES = 16 * 1024 * 1024;
/** Room for the header line and line end around each content. */
const FRAME_BYTES = 256;

/** Reads file contents out of the object database. */
export class BlobReader {
  constructor(private readonly git: Git) {}

  async readFile(place: GitPlace, revision: string, path: string, maxBytes: number): Promise<FileContent | null> {
    const { stdout } = await this.git.run(place, ['ls-tree', '--full-tree', '-l', '-z', revision, '--', path]);
    const match = /^\d+ blob ([0-9a-f]+) +(\d+)\t/.exec(splitNul(stdout)[0] ?? '');
    if (match === null) return null;
    const [, blob = '', size] = match;
    if (Number(size) > maxBytes) {
      const details = { path, size_bytes: Number(size), limit_bytes: maxBytes };
      throw new BusinessRuleViolation('The file is too large to be read', details, { reason: 'FILE_TOO_LARGE' });
    }
    const { stdout: content } = await this.git.run(place, ['cat-file', 'blob', blob], { outputLimit: maxBytes + 1 });
    return { content, sizeBytes: content.length, sha256: sha256(content) };
  }

  /** Size and sha256 of each blob, in few git calls and without holding more than one batch. */
  async describe(place: GitPlace, blobs: readonly string[]): Promise<Map<string, Omit<FileContent, 'content'>>> {
    const described = new Map<string, Omit<FileContent, 'content'>>();
    for (const batch of batches(await this.sizes(place, [...new Set(blobs)]))) {
      const outputLimit = batch.reduce((sum, { size }) => sum + size + FRAME_BYTES, 0);
      const stdin = batch.map(({ blob }) => `${blob}\n`).join('');
      const { stdout } = await this.git.run(place, ['cat-file', '--batch'], { stdin, outputLimit });
      let position = 0;
      for (const { blob, size } of batch) {
        const start = stdout.indexOf('\n', position) + 1;
        described.set(blob, { sizeBytes: size, sha256: sha256(stdout.subarray(start, start + size)) });
        position = start + size + 1;
      }
    }
    return described;
  }

  private async sizes(place: GitPlace, blobs: readonly string[]): Promise<{ blob: string; size: number }[]> {
    if (blobs.length === 0) return [];
    const stdin = blobs.map((blob) => `${blob}\n`).join('');
    const sizes = (await this.git.text(place, ['cat-file', '--batch-check=%(objectsize)'], { stdin })).split('\n');
    return blobs.map((blob, index) => ({ blob, size: Number(sizes[index]) }));
  }
}

function batches(blobs: readonly { blob: string; size: number }[]): { blob: string; size: number }[][] {
  const all: { blob: string; size: number }[][] = [];
  let room = 0;
  for (const blob of blobs) {
    const last = all.at(-1);
    if (last === undefined || blob.size > room) {
      all.push([blob]);
      room = BATCH_BYTES - blob.size;
    } else {
      last.push(blob);
      room -= blob.size;
    }
  }
  return all;
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
