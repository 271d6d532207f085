import { describe, expect, it } from 'vitest';
import { namedCheckpoint } from './checkpoint-name.js';

const ONE = { id: 'cp_01KBA7Q2AAAAAAAAAAAAAAAAA1' };
const TWO = { id: 'cp_01KBA7Q2AAAAAAAAAAAAAAAAA2' };
const LATER = { id: 'cp_01KBA7Q9BBBBBBBBBBBBBBBBBB' };
const ALL = [ONE, TWO, LATER];

describe('namedCheckpoint', () => {
  it.each([LATER.id, LATER.id.slice(3), 'cp_01KBA7Q9', '01KBA7Q9', 'CP_01kba7q9bb'])('finds %s', (name) => {
    expect(namedCheckpoint(ALL, name)).toBe(LATER);
  });

  it('refuses a beginning that several share, and one that is too short', () => {
    expect(() => namedCheckpoint(ALL, '01KBA7Q2')).toThrow('several checkpoint ids');
    expect(() => namedCheckpoint(ALL, 'cp_01KBA7')).toThrow('at least 8 characters');
  });

  it('knows no other', () => {
    expect(() => namedCheckpoint(ALL, 'cp_01KBA7QZ')).toThrow('Checkpoint not found');
  });
});
