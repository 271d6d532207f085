import { ValidationError } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { pageToken, readPageToken } from './page-token.js';

const POSITION = { at: '2026-01-02T03:04:05.678901Z', id: '0123abcd-0000-8000-8000-000000000001' };
const FILTER = { owner: 'ada', state: null };

function forged(members: object): string {
  const genuine = JSON.parse(Buffer.from(pageToken(POSITION, FILTER), 'base64url').toString()) as object;
  return Buffer.from(JSON.stringify({ ...genuine, ...members })).toString('base64url');
}

describe('a page token', () => {
  it('names the row after which the page begins', () => {
    expect(readPageToken(pageToken(POSITION, FILTER), { state: null, owner: 'ada' })).toEqual(POSITION);
  });

  it.each([undefined, ''])('that is absent (%j) means the first page', (token) => {
    expect(readPageToken(token, FILTER)).toBeNull();
  });

  it('of other filters is refused', () => {
    expect(() => readPageToken(pageToken(POSITION, { ...FILTER, owner: 'eve' }), FILTER)).toThrow(ValidationError);
  });

  it.each([
    'garbage',
    Buffer.from('null').toString('base64url'),
    Buffer.from('[]').toString('base64url'),
    forged({ id: "'; DROP TABLE task" }),
    forged({ id: 7 }),
    forged({ at: 'yesterday' }),
    forged({ at: '2026-02-31T00:00:00.000000Z' }),
    forged({ at: '2026-01-01T99:00:00.000000Z' }),
    forged({ at: 7 }),
    forged({ for: 'other' }),
  ])('that was made up is refused before it reaches the database: %s', (token) => {
    expect(() => readPageToken(token, FILTER)).toThrow('pageToken is not a token of this list');
  });
});
