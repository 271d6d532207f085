import { newUlid } from '@cleveragents/kernel';
import type { Part } from '@cleveragents/protocol';
import { describe, expect, it } from 'vitest';
import { ForeignBlobError, withoutLargeParts } from './large-parts.js';

const MIB = 1024 * 1024;
const split = (...parts: Part[]) => withoutLargeParts({ artifactId: 'a', name: 'n', parts });

describe('an artifact of an agent', () => {
  it.each<[string, Part]>([
    ['text', { text: 'x'.repeat(MIB) }],
    ['text of wide characters', { text: 'é'.repeat(MIB / 2) }],
    ['raw', { raw: Buffer.alloc(MIB).toString('base64') }],
    ['data', { data: 'x'.repeat(MIB - 2) }],
    ['a URL', { url: `https://x.test/${'x'.repeat(2 * MIB)}` }],
  ])('keeps %s of exactly the limit inline', (_, part) => {
    expect(split(part)).toEqual({ artifact: { artifactId: 'a', name: 'n', parts: [part] }, contents: [] });
  });

  it.each<[string, Part, string, Buffer]>([
    ['text', { text: 'x'.repeat(MIB + 1) }, 'text/plain; charset=utf-8', Buffer.alloc(MIB + 1, 'x')],
    ['text of wide characters', { text: 'é'.repeat(MIB) }, 'text/plain; charset=utf-8', Buffer.from('é'.repeat(MIB))],
    ['raw', { raw: Buffer.alloc(MIB + 1).toString('base64') }, 'application/octet-stream', Buffer.alloc(MIB + 1)],
    ['data', { data: 'x'.repeat(MIB) }, 'application/json', Buffer.from(`"${'x'.repeat(MIB)}"`)],
    ['typed text', { text: 'x'.repeat(MIB + 1), mediaType: 'text/csv' }, 'text/csv', Buffer.alloc(MIB + 1, 'x')],
  ])('gives up %s above it', (_, part, mediaType, bytes) => {
    const filename = 'f.bin';
    const metadata = { a: 1 };
    const { artifact, contents } = split({ text: 'small' }, { ...part, filename, metadata });
    const [content] = contents;
    expect(content).toMatchObject({ mediaType, filename });
    expect(bytes.equals(content?.bytes ?? Buffer.alloc(0))).toBe(true);
    const url = `blob:${content?.key}`;
    expect(artifact.parts).toEqual([{ text: 'small' }, { url, filename, mediaType, metadata }]);
  });

  it('may not point into the blob store', () => {
    expect(() => split({ url: `blob:${newUlid()}` })).toThrow(ForeignBlobError);
    expect(() => split({ url: 'blob:https://x.test/7' })).not.toThrow();
  });
});
