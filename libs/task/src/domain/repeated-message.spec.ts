import type { Message } from '@cleveragents/protocol';
import { describe, expect, it } from 'vitest';
import { isRepeated } from './repeated-message.js';
import { message } from './task-fold.fixture.js';

const stored = (...messages: Message[]) =>
  messages.map((one) => JSON.stringify({ ...one, taskId: 't', contextId: 'c' })).join(',');

describe('a repeated message', () => {
  it('says the same under the same messageId, whatever the order of its members', () => {
    const { messageId, parts, role } = message('m-2', 'yes');
    const earlier = stored(message('m-1', 'no'), message('m-2', 'yes'));
    expect(isRepeated({ parts, role, messageId, taskId: 't' }, earlier)).toBe(true);
  });

  it.each([
    ['another text', message('m-1', 'no')],
    ['another messageId', message('m-2', 'yes')],
    ['a messageId that only occurs in a text', message('yes', 'yes')],
    ['further members', { ...message('m-1', 'yes'), metadata: { a: 1 } }],
  ])('is none with %s', (_, other) => {
    expect(isRepeated(other, stored(message('m-1', 'yes')))).toBe(false);
  });

  it('is none where there is no earlier one', () => {
    expect(isRepeated(message('m-1'), '')).toBe(false);
  });
});
