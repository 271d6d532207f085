import { describe, expect, it } from 'vitest';
import { explicitKey } from './idempotency-key.js';

describe('the explicit key of a request', () => {
  it.each([
    [null, undefined, null],
    [null, null, null],
    [null, 'm', 'm'],
    ['h', 'm', 'h'],
    [null, 'k'.repeat(128), 'k'.repeat(128)],
  ])('by header %j and metadata %j is %j', (header, inMetadata, key) => {
    expect(explicitKey(header, inMetadata)).toBe(key);
  });

  it.each([
    [null, 7, 'metadata.idempotencyKey must be a string'],
    [null, {}, 'metadata.idempotencyKey must be a string'],
    [null, '', 'metadata.idempotencyKey must not be empty'],
    [null, 'k'.repeat(129), 'metadata.idempotencyKey must have at most 128 characters'],
    [null, 'a\ud800', 'metadata.idempotencyKey must be well-formed Unicode'],
    ['', 'm', 'Idempotency-Key must not be empty'],
    ['k'.repeat(129), undefined, 'Idempotency-Key must have at most 128 characters'],
  ])('is refused by its place, never ignored: header %j, metadata %j', (header, inMetadata, fault) => {
    expect(() => explicitKey(header, inMetadata)).toThrow(fault);
  });
});
