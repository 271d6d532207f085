import { describe, expect, it } from 'vitest';
import { isConnectionTrouble } from './lanes.js';

const coded = (code: string) => Object.assign(new Error('failed'), { code });

describe('trouble with a connection', () => {
  it.each(['08006', '57P01', '57P03', '53300', 'ECONNRESET', 'EPIPE', 'ENOENT'])('has the code %s', (code) => {
    expect(isConnectionTrouble(coded(code))).toBe(true);
  });

  it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])('says %j', (words) => {
    expect(isConnectionTrouble(new Error(words))).toBe(true);
  });

  it.each(['23505', '22012', '57014', '53100', 'ERR_INVALID_ARG_TYPE'])('is not what has the code %s', (code) => {
    expect(isConnectionTrouble(coded(code))).toBe(false);
  });

  it('is nothing else', () => {
    expect(isConnectionTrouble(new RangeError('Invalid string length'))).toBe(false);
    expect(isConnectionTrouble({})).toBe(false);
  });
});
