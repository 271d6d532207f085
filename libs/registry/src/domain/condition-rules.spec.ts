import type { JsonValue } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { conditionProblems } from './condition-rules.js';

function pathsOf(condition: JsonValue): string[] {
  return conditionProblems(condition, 'when').map(({ path }) => path);
}

describe('a condition', () => {
  it.each<[JsonValue]>([
    [{ exists: 'src/greet.js' }],
    [{ equals: ['{{args.mode}}', 'fast'] }],
    [{ matches: { value: '{{args.note}}', pattern: '^fix' } }],
    [{ not: { exists: 'CHANGELOG.md' } }],
    [{ all: [{ exists: 'a' }, { any: [{ exists: 'b' }] }] }],
  ])('may have the form %j', (condition) => {
    expect(pathsOf(condition)).toEqual([]);
  });

  it.each<[JsonValue, string]>([
    ['src/greet.js', 'when'],
    [{}, 'when'],
    [{ exists: 'a', not: { exists: 'b' } }, 'when'],
    [{ shell: 'rm -rf /' }, 'when'],
    [{ exists: '' }, 'when.exists'],
    [{ equals: ['a'] }, 'when.equals'],
    [{ matches: { value: 'a' } }, 'when.matches'],
    [{ matches: { value: 'a', pattern: '(' } }, 'when.matches.pattern'],
    [{ matches: { value: 'a', pattern: '(a+)+b' } }, 'when.matches.pattern'],
    [{ all: [] }, 'when.all'],
    [{ any: [{ exists: 'a' }, { exists: 1 }] }, 'when.any.1.exists'],
    [{ not: { not: 1 } }, 'when.not.not'],
  ])('cannot have the form %j', (condition, path) => {
    expect(pathsOf(condition)).toEqual([path]);
  });

  it('is at most 16 deep', () => {
    let deep: JsonValue = { exists: 'a' };
    for (let depth = 0; depth < 16; depth += 1) deep = { not: deep };
    expect(pathsOf(deep)).toHaveLength(1);
  });
});
