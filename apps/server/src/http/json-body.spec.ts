import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readJsonBody } from './json-body.js';

/** A request as far as its body is concerned. */
function requestOf(chunks: readonly (string | Buffer)[], contentType?: string): IncomingMessage {
  const request = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  const headers = contentType === undefined ? {} : { 'content-type': contentType };
  return Object.assign(request, { headers }) as unknown as IncomingMessage;
}

const JSON_TYPE = 'application/json';

describe('readJsonBody', () => {
  it('joins what arrives in pieces, even in the middle of a character', async () => {
    const bytes = Buffer.from('{"text":"é🔑"}');
    const chunks = [...bytes].map((byte) => Buffer.of(byte));
    expect(await readJsonBody(requestOf(chunks, JSON_TYPE), 100)).toEqual({ text: 'é🔑' });
  });

  it.each([JSON_TYPE, 'application/json; charset=utf-8', 'Application/JSON', 'application/a2a+json'])(
    'reads %s',
    async (type) => {
      expect(await readJsonBody(requestOf(['[1]'], type), 100)).toEqual([1]);
    },
  );

  it.each([undefined, 'text/plain', 'application/jsonp', 'multipart/form-data; boundary=application/json'])(
    'does not read %s',
    async (type) => {
      await expect(readJsonBody(requestOf(['[1]'], type), 100)).rejects.toMatchObject({
        reason: 'CONTENT_TYPE_NOT_SUPPORTED',
      });
    },
  );

  it('accepts a body of exactly the limit and refuses the next byte', async () => {
    expect(await readJsonBody(requestOf(['"ab', 'c"'], JSON_TYPE), 5)).toBe('abc');
    await expect(readJsonBody(requestOf(['"abc', 'd"'], JSON_TYPE), 5)).rejects.toMatchObject({
      reason: 'BODY_TOO_LARGE',
      details: { limit_bytes: 5 },
    });
  });

  it.each(['', '{', '{"a":1}x', Buffer.of(0x22, 0xff, 0x22)])('refuses %j as no JSON', async (body) => {
    await expect(readJsonBody(requestOf([body], JSON_TYPE), 100)).rejects.toMatchObject({ reason: 'PARSE_ERROR' });
  });

  it('refuses nesting that would exhaust the stack, but not brackets inside text', async () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    await expect(readJsonBody(requestOf([deep], JSON_TYPE), 1e6)).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
    const text = JSON.stringify('[{\\"'.repeat(10_000));
    expect(await readJsonBody(requestOf([text], JSON_TYPE), 1e6)).toHaveLength(40_000);
  });
});
