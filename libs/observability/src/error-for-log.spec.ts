import { describe, expect, it } from 'vitest';
import { createLogger } from './create-logger.js';

function lineOf(error: unknown): string {
  const lines: string[] = [];
  const logger = createLogger({ level: 'info', pretty: false }, { write: (line) => void lines.push(line) });
  logger.write('error', { err: error }, 'failed');
  return lines.join('');
}

describe('an error in the log', () => {
  it('shows its kind, message, code, stack and causes', () => {
    const cause = Object.assign(new Error('socket closed'), { code: 'ECONNRESET' });
    const line = JSON.parse(lineOf(new TypeError('cannot save', { cause }))) as { err: object };
    expect(line.err).toMatchObject({
      type: 'TypeError',
      message: 'cannot save',
      stack: expect.stringContaining('error-for-log.spec'),
      cause: { message: 'socket closed', code: 'ECONNRESET' },
    });
  });

  it('leaves out what a failed statement carried', () => {
    const failed = Object.assign(new Error('insert failed'), {
      query: 'INSERT INTO t VALUES ($1)',
      parameters: ['confidential'],
      driverError: { detail: 'Key (name)=(confidential) already exists.' },
    });
    expect(lineOf(failed)).not.toContain('confidential');
  });

  it('tells of a thrown value that is no error, and ends a circle of causes', () => {
    expect(lineOf('just text')).toContain('just text');
    const circle = new Error('round');
    circle.cause = circle;
    expect(lineOf(circle)).toContain('round');
  });
});
