import { describe, expect, it } from 'vitest';
import { requestKey } from './idempotency.js';

const PARAMS = { message: { messageId: 'm-1', parts: [{ text: 'x' }] }, configuration: { returnImmediately: true } };
const REORDERED = { configuration: { returnImmediately: true }, message: { parts: [{ text: 'x' }], messageId: 'm-1' } };
const OTHER = { message: { messageId: 'm-1', parts: [{ text: 'y' }] } };

const implicit = (params: object, owner = 'ada', messageId = 'm-1') => requestKey(owner, null, messageId, params);
const explicit = (params: object, key = 'k', owner = 'ada') => requestKey(owner, key, 'm-1', params);

describe('a request without a key', () => {
  it('is the same one whatever the order of its members', () => {
    expect(implicit(REORDERED).taskId).toBe(implicit(PARAMS).taskId);
    expect(implicit(PARAMS).requestHash).toBeNull();
  });

  it('is another one with another payload, messageId or caller', () => {
    const ids = [implicit(PARAMS), implicit(OTHER), implicit(PARAMS, 'eve'), implicit(PARAMS, 'ada', 'm-2')];
    expect(new Set(ids.map(({ taskId }) => taskId)).size).toBe(4);
  });
});

describe('a request under a key', () => {
  it('is named by the caller and the key alone, and remembers its payload', () => {
    expect(explicit(OTHER).taskId).toBe(explicit(PARAMS).taskId);
    expect(explicit(OTHER).requestHash).not.toBe(explicit(PARAMS).requestHash);
    expect(explicit(REORDERED).requestHash).toBe(explicit(PARAMS).requestHash);
  });

  it('is another one under another key or of another caller, and never one without a key', () => {
    const ids = [explicit(PARAMS), explicit(PARAMS, 'l'), explicit(PARAMS, 'k', 'eve'), implicit(PARAMS)];
    expect(new Set(ids.map(({ taskId }) => taskId)).size).toBe(4);
  });
});

describe('the id that a request makes', () => {
  it('is a UUID of version 8', () => {
    for (let index = 0; index < 50; index += 1) {
      expect(implicit({ index }).taskId).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    }
  });

  it('is free again in each further window', () => {
    const first = explicit(PARAMS);
    const second = first.next();
    expect(new Set([first.taskId, second.taskId, second.next().taskId]).size).toBe(3);
    expect(second.requestHash).toBe(first.requestHash);
    expect(second.taskId).toBe(explicit(PARAMS).next().taskId);
  });
});
