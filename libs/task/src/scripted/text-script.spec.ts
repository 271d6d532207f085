import { describe, expect, it } from 'vitest';
import { benchScript } from './bench-script.js';
import { conformanceScript } from './conformance-script.js';
import { textScript } from './text-script.js';

describe('the grammar of the scripted agent', () => {
  it.each([
    'echo: X',
    'echo:X',
    'echo:',
    'echo: many\nlines',
    'slow: 1500',
    'ask: ok?',
    'auth: log in',
    'chunks: a|b|c every 500',
    'chunks: a|b',
    'throw-now',
    'throw-after: 2 chunks',
    'throw-after: 1 chunk',
    'return-early',
    'reject-later',
    'failstart',
  ])('knows %j', (text) => {
    expect(textScript(text)).toBeTypeOf('function');
    expect(benchScript(text)).toBeNull();
  });

  it.each([
    '',
    'echo',
    'echo X',
    'Echo: X',
    'please echo: X',
    'slow: soon',
    'slow: 99999999999',
    'throw-after: some chunks',
    'throw-now please',
    'constructor: x',
    'hello',
  ])('takes %j for ordinary words', (text) => {
    expect(textScript(text)).toBeNull();
  });

  it.each(['stream:50', 'tick:3:20:100', 'turn:more', 'turn:'])('knows the text of the load harness %j', (text) => {
    expect(benchScript(text)).toBeTypeOf('function');
    expect(textScript(text)).toBeNull();
  });

  it.each(['stream', 'tick', 'a turn:'])('takes %j for no text of the load harness', (text) => {
    expect(benchScript(text)).toBeNull();
  });
});

describe('the conformance kits', () => {
  it('get the behaviour of the longest head that fits the messageId', () => {
    const chunked = conformanceScript('tck-stream-artifact-chunked-1');
    const text = conformanceScript('tck-artifact-text-1');
    const other = conformanceScript('tck-complete-task-1');
    expect(new Set([chunked, text, other]).size).toBe(3);
    expect(conformanceScript('tck-whatever')).toBe(other);
    expect(conformanceScript('test-resubscribe-message-id-1')).not.toBe(other);
  });

  it('are known by the head of the messageId only', () => {
    expect(conformanceScript('m-tck-1')).toBeNull();
    expect(conformanceScript('')).toBeNull();
  });
});
