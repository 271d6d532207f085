import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from './list-cursor.js';

describe('a list cursor', () => {
  it('leads back to its position', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (namespace, name) => {
        const position = { namespace, name };
        expect(decodeCursor(encodeCursor(position))).toEqual(position);
      }),
    );
  });

  it.each(['', 'x', 'W10', 'eyJhIjoxfQ', `${encodeCursor({ namespace: 'a', name: 'b' })}=`])(
    '"%s" is none',
    (cursor) => {
      expect(() => decodeCursor(cursor)).toThrow(/cursor/);
    },
  );
});
