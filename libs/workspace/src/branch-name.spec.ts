import { describe, expect, it } from 'vitest';
import { BRANCH_NAME } from './branch-name.js';

describe('a branch name', () => {
  it.each(['main', 'feature/x', 'a', 'release-1.2', 'v1.lockfile', 'a@b', 'übung', 'a-', 'HEADS', 'x/HEAD', '🚀'])(
    '"%s" is one',
    (name) => {
      expect(name).toMatch(BRANCH_NAME);
    },
  );

  it.each([
    '',
    'HEAD',
    '@',
    '-x',
    '/x',
    'x/',
    'x.',
    '.x',
    'a/.x',
    'a b',
    'a..b',
    'a//b',
    '../x',
    'main^',
    'main~1',
    'main:x',
    'a?',
    'a*',
    'a[b',
    'a\\b',
    'a@{1}',
    'x.lock',
    'x.lock/y',
    'a\0b',
    'a\nb',
    'a\u007f',
    'a\ud800',
  ])('%j is none', (name) => {
    expect(name).not.toMatch(BRANCH_NAME);
  });
});
