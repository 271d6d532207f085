import { describe, expect, it } from 'vitest';
import { ColumnSet, UnstorableTextError } from './columns.js';

const TYPES = { id: 'uuid', n: 'int', at: 'time', body: 'text', note: 'optional' } as const;
const ID = '0123abcd-0000-8000-8000-000000000001';
const ROW = { id: ID, n: 1, at: '2026-01-02T03:04:05.678Z', body: 'x', note: null };

function parametersOf(...rows: object[]): string[] {
  const set = new ColumnSet(TYPES);
  for (const row of rows) set.add({ ...ROW, ...row });
  expect(set.size).toBe(rows.length);
  return set.parameters();
}

describe('a set of columns', () => {
  it('sends one parameter per column however many rows there are', () => {
    expect(parametersOf({}, { n: 2, body: 'y', note: 'z' })).toEqual([
      `{${ID},${ID}}`,
      '{1,2}',
      `{${ROW.at},${ROW.at}}`,
      'x\u001Fy',
      '\u001E\u001Fz',
    ]);
  });

  it('names its parameters from the first one that is free', () => {
    const set = new ColumnSet(TYPES);
    expect(set.from(3)).toBe(
      "unnest($3::uuid[], $4::int[], $5::timestamptz[], string_to_array($6, E'\\x1f'), " +
        "string_to_array($7, E'\\x1f')) AS r(id, n, at, body, note)",
    );
    expect(set.select()).toBe("r.id, r.n, r.at, r.body, nullif(r.note, E'\\x1e')");
    expect(set.list()).toBe('id, n, at, body, note');
  });

  it('keeps quotes, line breaks and braces as they are', () => {
    const body = `{"a":"it's \\"x\\"",\n\t}`;
    expect(parametersOf({ body })[3]).toBe(body);
  });

  it('stores an empty optional text as none', () => {
    expect(parametersOf({ note: '' })[4]).toBe('\u001E');
  });

  it.each(['a\u001Fb', '\u001E', 'a\0', ''])('refuses %j in a text, as columns would shift', (body) => {
    expect(() => parametersOf({ body })).toThrow(new UnstorableTextError('body'));
  });

  it.each(['a\u001Fb', '\u001E', 'a\0'])('refuses %j in an optional text', (note) => {
    expect(() => parametersOf({ note })).toThrow(new UnstorableTextError('note'));
  });
});
