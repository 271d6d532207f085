import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';

describe('The PostgreSQL driver', () => {
  it('is never pg-native: TypeORM would switch to it unasked, and it cuts binary values at the first NUL', () => {
    const fromHere = createRequire(import.meta.url);
    const fromTypeOrm = createRequire(fromHere.resolve('typeorm'));
    for (const resolver of [fromHere, fromTypeOrm]) {
      expect(() => resolver.resolve('pg-native')).toThrow('Cannot find module');
    }
  });
});
