import { PlanError } from '@cleveragents/kernel';
import type { Condition } from '@cleveragents/registry';
import { describe, expect, it } from 'vitest';
import { holds } from './when.js';

const FILES = new Set(['a.txt', 'notes/3.md']);
const PLACE = { exists: async (path: string) => FILES.has(path) };
const SCOPE = { args: { name: 'release-7', count: 3 } };

describe('holds', () => {
  it.each<[boolean, Condition]>([
    [true, { exists: 'a.txt' }],
    [false, { exists: 'b.txt' }],
    [true, { exists: 'notes/{{args.count}}.md' }],
    [true, { equals: ['{{args.count}}', 3] }],
    [false, { equals: ['{{args.count}}', '3'] }],
    [
      true,
      {
        equals: [
          { a: 1, b: [2] },
          { b: [2], a: 1 },
        ],
      },
    ],
    [true, { matches: { value: '{{args.name}}', pattern: '^release-\\d+$' } }],
    [false, { matches: { value: '{{args.count}}', pattern: '^\\d{2}$' } }],
    [true, { not: { exists: 'b.txt' } }],
    [true, { all: [] }],
    [true, { all: [{ exists: 'a.txt' }, { not: { exists: 'b.txt' } }] }],
    [false, { all: [{ exists: 'a.txt' }, { exists: 'b.txt' }] }],
    [false, { any: [] }],
    [true, { any: [{ exists: 'b.txt' }, { exists: 'a.txt' }] }],
  ])('is %s for %j', async (expected, condition) => {
    expect(await holds(condition, PLACE, SCOPE)).toBe(expected);
  });

  it('fails for a pattern that is none', async () => {
    await expect(holds({ matches: { value: 'x', pattern: '(' } }, PLACE, SCOPE)).rejects.toThrow(PlanError);
  });
});
