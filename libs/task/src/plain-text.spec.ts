import { describe, expect, it } from 'vitest';
import { plainText } from './plain-text.js';

describe('a text for a text column', () => {
  it('may hold whatever can be printed', () => {
    expect(plainText('tenant', 'acme / ключ \u{1F600}')).toBe('acme / ключ \u{1F600}');
  });

  it.each(['\0', 'a\u001Fb', '\u001E', 'a\nb'])('holds no control character: %j', (text) => {
    expect(() => plainText('tenant', text)).toThrow('tenant must not contain control characters');
  });

  it('holds no half of a character', () => {
    expect(() => plainText('id', 'a\ud800')).toThrow('id must be well-formed Unicode');
  });
});
