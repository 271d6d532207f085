import { describe, expect, it } from 'vitest';
import { parseMergeTree, parseNameStatus, parseRawAndNumstat, parseStatusPaths, parseWorkTrees } from './git-output.js';

const nul = (...fields: string[]) => Buffer.from(fields.map((field) => `${field}\0`).join(''));

describe('parsers of git output', () => {
  it('read raw records and counts, renames with both names, names with tabs and colons', () => {
    const output = nul(
      ':100644 100644 aaa bbb M',
      'a\tb',
      ':100644 000000 ccc 000 D',
      ':colon',
      ':100644 100644 ddd eee R090',
      'old',
      'new',
      '1\t2\ta\tb',
      '0\t3\t:colon',
      '-\t-\t',
      'old',
      'new',
    );
    const { changes, counts } = parseRawAndNumstat(output);
    expect(changes.map(({ path, oldPath, status }) => [path, oldPath, status])).toEqual([
      ['a\tb', null, 'modified'],
      [':colon', null, 'deleted'],
      ['new', 'old', 'renamed'],
    ]);
    expect(changes[0]).toMatchObject({ oldMode: '100644', newMode: '100644', oldObject: 'aaa', newObject: 'bbb' });
    expect(counts).toEqual([
      { insertions: 1, deletions: 2, isBinary: false },
      { insertions: 0, deletions: 3, isBinary: false },
      { insertions: 0, deletions: 0, isBinary: true },
    ]);
  });

  it('read the status of names', () => {
    expect(parseNameStatus(nul('M', 'a', 'A', 'b\nc'))).toEqual([
      { letter: 'M', path: 'a' },
      { letter: 'A', path: 'b\nc' },
    ]);
    expect(parseStatusPaths(nul(' M a', 'R  b c'))).toEqual(['a', 'b c']);
  });

  it('read a merge, clean or with every conflicting path once', () => {
    expect(parseMergeTree(Buffer.from('tree\0'))).toEqual({ tree: 'tree', conflicts: [] });
    const conflicted = Buffer.from('tree\0a\0b\0a\0\x001\0a\0CONFLICT\0text\0');
    expect(parseMergeTree(conflicted)).toEqual({ tree: 'tree', conflicts: ['a', 'b'] });
  });

  it('read the list of work trees', () => {
    const list = Buffer.from(
      'worktree /a b\0HEAD x\0branch refs/heads/main\0\0worktree /bare\0bare\0\0worktree /c\0HEAD y\0detached\0\0',
    );
    expect(parseWorkTrees(list)).toEqual([
      { path: '/a b', branch: 'refs/heads/main', isBare: false },
      { path: '/bare', branch: null, isBare: true },
      { path: '/c', branch: null, isBare: false },
    ]);
  });
});
