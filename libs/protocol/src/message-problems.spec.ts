import { describe, expect, it } from 'vitest';
import { messageProblems } from './message-problems.js';

const good = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hi' }] };
const problemsOf = (patch: object) => messageProblems({ ...good, ...patch }, 'message');
const partProblems = (...parts: unknown[]) => problemsOf({ parts });

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { a: value } : [value];
  return value;
}

describe('messageProblems', () => {
  it('finds nothing wrong with a plain message', () => {
    expect(messageProblems(good, 'message')).toEqual([]);
  });

  it('finds nothing wrong with every optional member set', () => {
    const parts = [
      { text: '', metadata: { a: 1 } },
      { raw: 'aGk=', filename: 'hi.txt', mediaType: 'text/plain' },
      { url: 'https://example.test/a' },
      { data: null },
      { data: { a: [1] } },
    ];
    const patch = { contextId: 'c', taskId: 't', referenceTaskIds: ['x'], extensions: ['urn:x'], metadata: {}, parts };
    expect(problemsOf(patch)).toEqual([]);
  });

  it.each([
    [undefined, 'is required'],
    [null, 'must be an object'],
    ['hi', 'must be an object'],
    [[good], 'must be an object'],
  ])('refuses %j as a message', (message, fault) => {
    expect(messageProblems(message, 'message')).toEqual([{ path: 'message', message: fault }]);
  });

  it.each([
    [{ messageId: undefined }, 'message.messageId', 'is required'],
    [{ messageId: '' }, 'message.messageId', 'must not be empty'],
    [{ messageId: 7 }, 'message.messageId', 'must be a string'],
    [{ messageId: 'x'.repeat(513) }, 'message.messageId', 'must have at most 512 characters'],
    [{ messageId: 'a\u001fb' }, 'message.messageId', 'must not contain control characters'],
    [{ role: undefined }, 'message.role', 'is required'],
    [{ role: 'ROLE_SYSTEM' }, 'message.role', 'must be ROLE_USER or ROLE_AGENT'],
    [{ contextId: 7 }, 'message.contextId', 'must be a string'],
    [{ contextId: 'a\u0000' }, 'message.contextId', 'must not contain control characters'],
    [{ contextId: 'a\ud800' }, 'message.contextId', 'must be well-formed Unicode'],
    [{ messageId: '\udc00' }, 'message.messageId', 'must be well-formed Unicode'],
    [{ taskId: 'x'.repeat(513) }, 'message.taskId', 'must have at most 512 characters'],
    [{ metadata: [] }, 'message.metadata', 'must be an object'],
    [{ referenceTaskIds: 'x' }, 'message.referenceTaskIds', 'must be an array of strings'],
    [{ referenceTaskIds: ['x', 7] }, 'message.referenceTaskIds[1]', 'must be a string'],
    [{ extensions: [{}] }, 'message.extensions[0]', 'must be a string'],
    [{ parts: undefined }, 'message.parts', 'is required'],
    [{ parts: {} }, 'message.parts', 'must be an array'],
    [{ parts: [] }, 'message.parts', 'must not be empty'],
  ])('names the fault of %j', (patch, path, message) => {
    expect(problemsOf(patch)).toEqual([{ path, message }]);
  });

  const oneOf = 'must have exactly one of text, raw, url, data';
  it.each([
    ['hi', 'message.parts[0]', 'must be an object'],
    [{}, 'message.parts[0]', oneOf],
    [{ kind: 'text' }, 'message.parts[0]', oneOf],
    [{ text: 'a', url: 'b' }, 'message.parts[0]', oneOf],
    [{ text: 7 }, 'message.parts[0].text', 'must be a string'],
    [{ text: null }, 'message.parts[0].text', 'must be a string'],
    [{ url: {} }, 'message.parts[0].url', 'must be a string'],
    [{ raw: 7 }, 'message.parts[0].raw', 'must be base64'],
    [{ text: 'a', filename: 7 }, 'message.parts[0].filename', 'must be a string'],
    [{ text: 'a', mediaType: [] }, 'message.parts[0].mediaType', 'must be a string'],
    [{ text: 'a', metadata: 'x' }, 'message.parts[0].metadata', 'must be an object'],
  ])('names the fault of part %j', (part, path, message) => {
    expect(partProblems(part)).toEqual([{ path, message }]);
  });

  it('names every faulty part by its place', () => {
    const paths = partProblems({ text: 'ok' }, { text: 1 }, { data: 1 }, {}).map((problem) => problem.path);
    expect(paths).toEqual(['message.parts[1].text', 'message.parts[3]']);
  });

  it.each(['', 'aGk=', 'aGk', 'aA==', '-_-_', '+/+/'])('takes %j for base64', (raw) => {
    expect(partProblems({ raw })).toEqual([]);
  });

  it.each(['a', 'aGk==', 'aG=k', '====', '=', 'aG k', 'aGk\n', 'é'])('does not take %j for base64', (raw) => {
    expect(partProblems({ raw })).toEqual([{ path: 'message.parts[0].raw', message: 'must be base64' }]);
  });

  it('bounds the nesting of data and metadata', () => {
    const tooDeep = 'must not nest deeper than 64 levels';
    expect(problemsOf({ parts: [{ data: nested(64) }], metadata: { a: nested(63) } })).toEqual([]);
    expect(partProblems({ data: nested(65) })).toEqual([{ path: 'message.parts[0].data', message: tooDeep }]);
    expect(problemsOf({ metadata: { a: nested(64) } })).toEqual([{ path: 'message.metadata', message: tooDeep }]);
    expect(partProblems({ text: 'a', metadata: { a: nested(100_000) } })).toEqual([
      { path: 'message.parts[0].metadata', message: tooDeep },
    ]);
  });
});
