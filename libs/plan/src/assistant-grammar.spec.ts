import type { JsonObject } from '@cleveragents/kernel';
import type { Part } from '@cleveragents/protocol';
import { describe, expect, it } from 'vitest';
import { readRequest } from './assistant-grammar.js';

function request(...parts: Part[]): ReturnType<typeof readRequest> {
  return readRequest({ messageId: 'm', role: 'ROLE_USER', parts });
}

describe('readRequest', () => {
  it.each<[string, JsonObject]>([
    ['use acme/exclaim on acme/api', { project_names: ['acme/api'], arguments: {} }],
    ['Use acme/exclaim ON acme/api, acme/web', { project_names: ['acme/api', 'acme/web'], arguments: {} }],
    [
      'use acme/exclaim on acme/api note="two words"',
      { project_names: ['acme/api'], arguments: { note: 'two words' } },
    ],
    [
      String.raw`use acme/exclaim on acme/api note="a \"quoted\" word\n" path="C:\q"`,
      { project_names: ['acme/api'], arguments: { note: 'a "quoted" word\n', path: 'C:q' } },
    ],
    [
      'use acme/exclaim on acme/api n=-3 x=1.5 on=true off=false word=bare zero="0" padded=007',
      {
        project_names: ['acme/api'],
        arguments: { n: -3, x: 1.5, on: true, off: false, word: 'bare', zero: '0', padded: '007' },
      },
    ],
    [
      'use acme/exclaim on acme/api\n  note="on the next line"',
      {
        project_names: ['acme/api'],
        arguments: { note: 'on the next line' },
      },
    ],
  ])('reads %j', (text, expected) => {
    expect(request({ text })).toEqual({ kind: 'use', params: { action_name: 'acme/exclaim', ...expected } });
  });

  it('reads a data part as it is', () => {
    const data = { action_name: 'acme/exclaim', project_names: ['acme/api'], extra: 1 };
    expect(request({ data })).toEqual({ kind: 'use', params: data });
  });

  it.each(['help', ' HELP '])('knows %j', (text) => {
    expect(request({ text })).toEqual({ kind: 'help' });
  });

  it.each(['resume', 'undo'])('knows %s', (text) => {
    expect(request({ text })).toEqual({ kind: text });
  });

  it.each([
    'please use acme/exclaim on acme/api',
    'use acme/exclaim',
    'use acme/exclaim on acme/api and then some',
    'use acme/exclaim on acme/api note="unfinished',
    'use acme/exclaim on acme/api note=two words',
    'help me',
    '',
  ])('does not guess what %j means', (text) => {
    expect(request({ text })).toEqual({ kind: 'unknown' });
  });
});
