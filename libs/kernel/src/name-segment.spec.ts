import { describe, expect, it } from 'vitest';
import { isNameSegment } from './name-segment.js';

describe('a segment of a name', () => {
  it.each(['a', 'acme', 'a1_b-c', 'a'.repeat(64)])('may be %j', (text) => {
    expect(isNameSegment(text)).toBe(true);
  });

  it.each(['', '1a', '_a', 'Acme', 'a b', 'a/b', 'a.b', 'é', 'a\n', 'a'.repeat(65)])('may not be %j', (text) => {
    expect(isNameSegment(text)).toBe(false);
  });
});
