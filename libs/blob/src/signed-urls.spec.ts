import { createSecretKey } from 'node:crypto';
import { Clock, ResourceNotFoundError, newUlid } from '@cleveragents/kernel';
import { beforeEach, describe, expect, it } from 'vitest';
import { SignedUrls, type SignedQuery } from './signed-urls.js';

class MovedClock extends Clock {
  seconds = 1_800_000_000;

  now(): Date {
    return new Date(this.seconds * 1000 + 999);
  }
}

const KEY = newUlid();

function partsOf(url: string): { key: string; query: SignedQuery } {
  const { pathname, searchParams } = new URL(url, 'http://server.test');
  return { key: pathname.replace('/blobs/', ''), query: Object.fromEntries(searchParams) };
}

describe('SignedUrls', () => {
  let clock: MovedClock;
  let urls: SignedUrls;
  beforeEach(() => {
    clock = new MovedClock();
    urls = new SignedUrls(createSecretKey(Buffer.alloc(32, 1)), clock);
  });

  function errorOf(key: string, query: SignedQuery): unknown {
    try {
      urls.verify(key, query);
    } catch (error) {
      expect(error).toBeInstanceOf(ResourceNotFoundError);
      const { message, reason, details } = error as ResourceNotFoundError;
      return { message, reason, details };
    }
    return null;
  }

  it('makes a path that it accepts until it expires', () => {
    const url = urls.make(KEY, { expiresInS: 60 });
    expect(url).toMatch(new RegExp(`^/blobs/${KEY}\\?expires=1800000060&sig=[A-Za-z0-9_-]{43}$`));
    const { key, query } = partsOf(url);
    expect(urls.verify(key, query)).toBe(60);
    clock.seconds += 59;
    expect(urls.verify(key, query)).toBe(1);
    clock.seconds += 1;
    expect(errorOf(key, query)).not.toBeNull();
  });

  it('answers alike to what has expired, was changed or never was a URL of this server', () => {
    const { key, query } = partsOf(urls.make(KEY, { expiresInS: 60 }));
    const { query: old } = partsOf(urls.make(KEY, { expiresInS: -1 }));
    const sig = String(query.sig);
    const refused: [string, SignedQuery][] = [
      [key, old],
      [newUlid(), query],
      [key, { ...query, expires: '1800009999' }],
      [key, { ...query, expires: '01800000060' }],
      [key, { ...query, expires: '1800000060 ' }],
      [key, { ...query, expires: ['1800000060'] }],
      [key, { ...query, sig: `${sig.slice(0, -1)}${sig.endsWith('A') ? 'B' : 'A'}` }],
      [key, { ...query, sig: sig.slice(0, -1) }],
      [key, { ...query, sig: '' }],
      [key, { ...query, sig: [sig] }],
      [key, { expires: query.expires }],
      [key, {}],
    ];
    const answers = refused.map(([blob, changed]) => errorOf(blob, changed));
    expect(answers).toEqual(refused.map(() => answers[0]));
    expect(answers[0]).toMatchObject({ reason: 'BLOB_NOT_FOUND' });
  });

  it('does not accept what another key signed', () => {
    const others = new SignedUrls(createSecretKey(Buffer.alloc(32, 2)), clock);
    const { key, query } = partsOf(others.make(KEY, { expiresInS: 60 }));
    expect(errorOf(key, query)).not.toBeNull();
  });
});
