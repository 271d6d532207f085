import { describe, expect, it } from 'vitest';
import { compileGlob } from './path-glob.js';

describe('compileGlob', () => {
  it.each([
    ['*.js', 'a.js', true],
    ['*.js', 'src/a.js', false],
    ['**/*.js', 'a.js', true],
    ['**/*.js', 'src/deep/a.js', true],
    ['src/**', 'src/.hidden/a', true],
    ['src/{a,b}.js', 'src/b.js', true],
    ['v?.txt', 'v1.txt', true],
    ['[ab].txt', 'c.txt', false],
    ['app/(group)/page.tsx', 'app/(group)/page.tsx', true],
    ['c++/*.h', 'c++/a.h', true],
    ['!keep', '!keep', true],
    ['!keep', 'other', false],
    ['(a|b)+', 'aaa', false],
  ])('%s against %s is %s', (pattern, path, expected) => {
    expect(compileGlob(pattern)(path)).toBe(expected);
  });

  it.each(['', '*a*a*a', '**/**/**/**/**/x', 'x'.repeat(513)])('refuses %s', (pattern) => {
    expect(() => compileGlob(pattern, 'globs')).toThrow(/globs must/);
  });

  it.each(['{a,{b,{c,*a*}}}/**/*a*b', '(a+)+$', '{1..99999999}', '[[[[[['])('survives the hostile %s', (pattern) => {
    expect(compileGlob(pattern)('a'.repeat(255))).toBe(false);
  });
});
