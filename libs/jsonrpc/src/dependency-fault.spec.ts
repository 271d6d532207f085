import { BusinessRuleViolation } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { asCallError } from './dependency-fault.js';
import { DependencyAwayError } from './protocol-errors.js';

function withCode(code: string): Error {
  return Object.assign(new Error('no luck'), { code });
}

describe('asCallError', () => {
  it.each(['EPIPE', 'ECONNRESET', '57P01', '57P03', '08006', '53300'])(
    'tells of %s as of something that is away for now',
    (code) => expect(asCallError(withCode(code))).toBeInstanceOf(DependencyAwayError),
  );

  it('tells of a connection that cannot be made as of something that is away', () => {
    for (const code of ['ECONNREFUSED', 'ENOENT']) {
      expect(asCallError(Object.assign(withCode(code), { syscall: 'connect' }))).toBeInstanceOf(DependencyAwayError);
    }
    const missingFile = Object.assign(withCode('ENOENT'), { syscall: 'open' });
    expect(asCallError(missingFile)).toBe(missingFile);
  });

  it('looks at what an error was caused by', () => {
    const lost = new Error('the task was lost', { cause: new Error('Connection terminated unexpectedly') });
    expect(asCallError(lost)).toBeInstanceOf(DependencyAwayError);
  });

  it('leaves every other error as it is', () => {
    for (const error of [withCode('23505'), new BusinessRuleViolation('no'), new TypeError('bug'), 'text', undefined]) {
      expect(asCallError(error)).toBe(error);
    }
  });
});
