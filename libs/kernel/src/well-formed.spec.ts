import { describe, expect, it } from 'vitest';
import { isWellFormed } from './well-formed.js';

describe('a text', () => {
  it.each(['', 'plain', 'ключ', '\u{1F600}', '\uFFFD'])('of whole characters is well formed: %j', (text) => {
    expect(isWellFormed(text)).toBe(true);
  });

  it.each(['\ud800', 'a\udc00b', '\udc00\ud800', '\u{1F600}\ud83d'])('with half a character is not: %j', (text) => {
    expect(isWellFormed(text)).toBe(false);
  });
});
