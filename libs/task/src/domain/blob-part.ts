import { isUlid } from '@cleveragents/kernel';
import type { Part } from '@cleveragents/protocol';

/**
 * A part whose bytes are in the blob store: its URL is `blob:` and the key. In stored JSON text the first letter of that URL
 * is written as an escape. JSON.stringify never writes it so, hence no text that somebody sends can pass for such a part.
 */
const SCHEME = 'blob:';
const STORED_SCHEME = '"\\u0062lob:';
const STORED_URL = /"\\u0062lob:([0-9A-Z]{26})"/g;

export function blobUrl(key: string): string {
  return SCHEME + key;
}

export function isBlobPart({ url }: Part): boolean {
  return typeof url === 'string' && url.startsWith(SCHEME) && isUlid(url.slice(SCHEME.length));
}

/** A part as it is stored. */
export function storedPart(part: Part): string {
  const text = JSON.stringify(part);
  if (part.url === undefined || !isBlobPart(part)) return text;
  return text.replace(`"url":"${part.url}"`, () => `"url":"\\u0062${part.url?.slice(1)}"`);
}

/** A stored text as it leaves: with `urlOf(key)` in the place of each blob's key. Costs one look if there is none. */
export function withSignedUrls(text: string, urlOf: (key: string) => string): string {
  if (!text.includes(STORED_SCHEME)) return text;
  return text.replace(STORED_URL, (_, key: string) => JSON.stringify(urlOf(key)));
}
