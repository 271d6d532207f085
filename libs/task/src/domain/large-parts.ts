import { newUlid } from '@cleveragents/kernel';
import type { Artifact, Part } from '@cleveragents/protocol';
import { blobUrl, isBlobPart } from './blob-part.js';

/** What an inline part may hold at most (decisions P19). */
const MAX_INLINE_BYTES = 1024 * 1024;

/** The content of a part that was too large to stay in it. */
export interface LargeContent {
  /** A ULID. */
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly filename: string | null;
}

/** An agent's artifact may not point into the blob store: the URL would be signed for whoever asks. */
export class ForeignBlobError extends Error {
  constructor(artifactId: string) {
    super(`Artifact ${artifactId} has a part with a blob: URL of its own`);
    this.name = 'ForeignBlobError';
  }
}

/** Moves the content of large parts out of an artifact that comes from an agent; what is small stays as it is. */
export function withoutLargeParts(artifact: Artifact): { artifact: Artifact; contents: readonly LargeContent[] } {
  if (artifact.parts.some(isBlobPart)) throw new ForeignBlobError(artifact.artifactId);
  const contents: LargeContent[] = [];
  const parts = artifact.parts.map((part) => {
    const content = largeContentOf(part);
    if (content === null) return part;
    contents.push(content);
    return partOf(content, part);
  });
  return contents.length === 0 ? { artifact, contents } : { artifact: { ...artifact, parts }, contents };
}

function partOf({ key, mediaType }: LargeContent, { filename, metadata }: Part): Part {
  return {
    url: blobUrl(key),
    ...(filename === undefined ? {} : { filename }),
    mediaType,
    ...(metadata === undefined ? {} : { metadata }),
  };
}

function largeContentOf(part: Part): LargeContent | null {
  const { filename = null } = part;
  if (part.text !== undefined) {
    const bytes = largeText(part.text);
    return bytes && { key: newUlid(), bytes, mediaType: part.mediaType ?? 'text/plain; charset=utf-8', filename };
  }
  if (part.raw !== undefined) {
    const bytes = largeRaw(part.raw);
    return bytes && { key: newUlid(), bytes, mediaType: part.mediaType ?? 'application/octet-stream', filename };
  }
  if (part.data === undefined) return null;
  const bytes = largeText(JSON.stringify(part.data));
  return bytes && { key: newUlid(), bytes, mediaType: part.mediaType ?? 'application/json', filename };
}

/** UTF-8 takes at most three bytes for one unit of a string: most texts are small without being measured. */
function largeText(text: string): Uint8Array | null {
  if (text.length * 3 <= MAX_INLINE_BYTES || Buffer.byteLength(text) <= MAX_INLINE_BYTES) return null;
  return Buffer.from(text);
}

function largeRaw(raw: string): Uint8Array | null {
  if (raw.length * 0.75 <= MAX_INLINE_BYTES) return null;
  const bytes = Buffer.from(raw, 'base64');
  return bytes.length > MAX_INLINE_BYTES ? bytes : null;
}
