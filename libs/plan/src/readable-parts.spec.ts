import { A2aError } from '@cleveragents/kernel';
import type { Part } from '@cleveragents/protocol';
import { describe, expect, it } from 'vitest';
import { requireReadable } from './readable-parts.js';

const reading =
  (...parts: Part[]) =>
  () =>
    requireReadable({ messageId: 'm', role: 'ROLE_USER', parts });

describe('what the assistant reads', () => {
  it.each<Part>([
    { text: 'help' },
    { text: 'help', mediaType: 'text/plain' },
    { text: '# help', mediaType: 'text/markdown; charset=utf-8' },
    { data: { a: 1 } },
    { data: { a: 1 }, mediaType: 'application/json' },
    { data: { a: 1 }, mediaType: 'application/vnd.acme+json' },
    { raw: 'AAEC' },
    { raw: 'aGVscA==', mediaType: 'Text/Plain; charset=utf-8' },
    { url: 'https://example.com/a', mediaType: 'application/json' },
  ])('is %j', (part) => {
    expect(reading(part)).not.toThrow();
  });

  it.each<Part>([
    { raw: 'AAEC', mediaType: 'video/mp4' },
    { url: 'https://example.com/a.png', mediaType: 'image/png' },
    { text: '<b>', mediaType: 'application/xml' },
    { data: {}, mediaType: 'application/cbor' },
  ])('is not %j, wherever it stands', (part) => {
    expect(reading({ text: 'help' }, part)).toThrow(A2aError);
    expect(reading(part)).toThrow(
      expect.objectContaining({
        reason: 'CONTENT_TYPE_NOT_SUPPORTED',
        details: { media_type: part.mediaType, supported: ['text/plain', 'application/json'] },
      }) as Error,
    );
  });
});
