import { describe, expect, it } from 'vitest';
import { cursorOf, seqOfCursor } from './cursor.js';

const TASK = '0123abcd-0000-8000-8000-000000000001';
const OTHER = 'fedcba98-0000-8000-8000-000000000001';

describe('a replay cursor', () => {
  it('is read back by the task that it was made for', () => {
    expect(seqOfCursor(cursorOf(TASK, 42), TASK)).toBe(42);
  });

  it.each([
    '',
    'garbage',
    '42',
    cursorOf(OTHER, 42),
    `${cursorOf(TASK, 42)} `,
    cursorOf(TASK, 1.5),
    cursorOf(TASK, -1),
  ])('is none of the task: %j', (cursor) => {
    expect(seqOfCursor(cursor, TASK)).toBeNull();
  });
});
