import type { JsonValue } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { documentProblems } from './document-rules.js';

function pathsOf(document: JsonValue): string[] {
  return documentProblems(document).map(({ path }) => path);
}

describe('a document', () => {
  it('must not reach a prototype', () => {
    expect(pathsOf(JSON.parse('{"steps":[{"inputs":{"__proto__":{"x":1}}}]}'))).toEqual(['steps.0.inputs.__proto__']);
  });

  it('must not be deeper than those who walk it can go', () => {
    let deep: JsonValue = {};
    for (let depth = 0; depth < 5000; depth += 1) deep = { deep };
    expect(pathsOf(deep)).toEqual(['deep.deep.deep']);
  });

  it.each(['a\0b', 'a\ud800b'])('must not hold the text %j', (text) => {
    expect(pathsOf({ steps: [{ inputs: { content: text } }] })).toEqual(['steps.0.inputs.content']);
    expect(pathsOf({ [text]: 'x' })).toEqual([text]);
  });

  it.each([
    'password',
    'api_key',
    'apiKey',
    'API-KEY',
    'client_secret',
    'access_token',
    'Authorization',
    'private_key',
  ])('must not hold a credential in a field named %s', (key) => {
    expect(pathsOf({ env: { [key]: 'hunter2' } })).toEqual([`env.${key}`]);
  });

  it('may name a secret, declare one, look one up, and speak of tokens', () => {
    const harmless = {
      secret_ref: 'env:KEY',
      arguments: [{ name: 'token', secret: true }],
      inputs: { token: '{{args.token}}', password: '' },
      options: { max_tokens: 100, tokenizer: 'x' },
      schema: { properties: { password: { type: 'string' } } },
    };
    expect(pathsOf(harmless)).toEqual([]);
  });

  it('has at most 32 labels of short text', () => {
    const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`label${index}`, 'x']));
    expect(pathsOf({ labels: many })).toEqual(['labels']);
    expect(pathsOf({ labels: { team: 1, 'bad name': 'x', long: 'x'.repeat(257), fine: 'x' } })).toEqual([
      'labels.team',
      'labels',
      'labels.long',
    ]);
  });
});
