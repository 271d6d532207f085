import { newUlid } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { blobUrl, isBlobPart, storedPart, withSignedUrls } from './blob-part.js';

const key = newUlid();
const signed = (text: string) => withSignedUrls(text, (found) => `https://x.test/blobs/${found}?sig="`);

describe('a part whose content is in the blob store', () => {
  it('is stored as JSON that reads back as itself', () => {
    const part = { url: blobUrl(key), filename: 'a', mediaType: 'text/plain', metadata: { url: blobUrl(key) } };
    expect(JSON.parse(storedPart(part))).toEqual(part);
    expect(isBlobPart(JSON.parse(storedPart(part)) as object)).toBe(true);
  });

  it('leaves with a signed URL', () => {
    const text = signed(`[${storedPart({ url: blobUrl(key), filename: 'a' })},${storedPart({ url: blobUrl(key) })}]`);
    const url = `https://x.test/blobs/${key}?sig="`;
    expect(JSON.parse(text)).toEqual([{ url, filename: 'a' }, { url }]);
  });

  it.each([
    { text: blobUrl(key) },
    { text: `"${blobUrl(key)}"` },
    { text: `"\\u0062lob:${key}"` },
    { text: `"url":"\\u0062lob:${key}"` },
    { data: { url: blobUrl(key), [`\\u0062lob:${key}`]: `\\u0062lob:${key}` } },
    { data: [`\\u0062lob:${key}`, `\\\\u0062lob:${key}`] },
    { url: `\\u0062lob:${key}` },
    { text: 'a', metadata: { url: blobUrl(key) } },
    { url: `blob:https://x.test/${key}` },
  ])('cannot be made up by what somebody sends: %j', (part) => {
    expect(signed(storedPart(part))).toBe(JSON.stringify(part));
  });
});
