import { describe, expect, it } from 'vitest';
import { correlationIdFrom } from './correlation-id.js';
import { createLogger } from './create-logger.js';

function capture(level: string) {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (text: string) => void lines.push(JSON.parse(text) as Record<string, unknown>) };
  return { lines, logger: createLogger({ level, pretty: false }, stream) };
}

const CALL = {
  correlation_id: 'c-1',
  method: 'tasks/get',
  transport: 'http',
  principal: 'p',
  duration_ms: 1,
  code: 0,
} as const;

describe('AppLogger', () => {
  it('writes one line with the facts of a call', () => {
    const { lines, logger } = capture('info');
    logger.call('info', { ...CALL, task_id: 't-1' });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ ...CALL, task_id: 't-1', msg: 'call' });
  });

  it('says beforehand that a line would not be written', () => {
    const { lines, logger } = capture('warn');
    expect(logger.isEnabled('info')).toBe(false);
    expect(logger.isEnabled('error')).toBe(true);
    logger.call('info', CALL);
    expect(lines).toHaveLength(0);
  });

  it('carries the messages of Nest with their source', () => {
    const { lines, logger } = capture('info');
    logger.log('mapped', 'Router');
    logger.error('broken', 'at x', 'Router');
    expect(lines).toMatchObject([
      { msg: 'mapped', source: 'Router' },
      { msg: 'broken', stack: 'at x', source: 'Router' },
    ]);
  });
});

describe('correlationIdFrom', () => {
  it('keeps what a caller sends if it is safe to echo', () => {
    expect(correlationIdFrom('trace-01:ab/c')).toBe('trace-01:ab/c');
  });

  it.each([undefined, '', 'a\r\nSet-Cookie: x', 'ключ', 'x'.repeat(129)])('makes a new one for %j', (header) => {
    expect(correlationIdFrom(header)).toMatch(/^[0-9a-f-]{36}$/);
  });
});
