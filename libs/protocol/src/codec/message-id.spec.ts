import { describe, expect, it } from 'vitest';
import { messageProblems } from '../message-problems.js';
import { withMessageId } from './message-id.js';

const message = { role: 'ROLE_USER' as const, parts: [{ text: 'yes' }] };
const never = () => {
  throw new Error('no fresh id is needed');
};

describe('withMessageId', () => {
  it('repeats the id of a message that is sent again under the same task id', () => {
    const once = withMessageId(message, 'mine', never);
    expect(withMessageId(structuredClone(message), 'mine', never)).toEqual(once);
    expect(messageProblems(once, 'message')).toEqual([]);
  });

  it('gives another message, or another task, another id', () => {
    const id = withMessageId(message, 'mine', never).messageId;
    expect(withMessageId({ ...message, parts: [{ text: 'no' }] }, 'mine', never).messageId).not.toBe(id);
    expect(withMessageId(message, 'yours', never).messageId).not.toBe(id);
  });

  it('takes a fresh id where the client names no task', () => {
    expect(withMessageId(message, undefined, () => 'fresh')).toEqual({ ...message, messageId: 'fresh' });
  });

  it('keeps the id that a message has', () => {
    expect(withMessageId({ ...message, messageId: 'm-1' }, undefined, never)).toEqual({ ...message, messageId: 'm-1' });
  });
});
