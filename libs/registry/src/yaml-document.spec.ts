import { describe, expect, it } from 'vitest';
import { readYamlDocument } from './yaml-document.js';

describe('a YAML document', () => {
  it('is read in the core schema, where text that looks like a date or a yes is text', () => {
    const text = 'name: acme/x\ncount: 3\nratio: 0.5\nwhen: 2020-01-01\nsure: yes\nnone: null\nlist: [a, {b: true}]\n';
    expect(readYamlDocument(text)).toEqual({
      name: 'acme/x',
      count: 3,
      ratio: 0.5,
      when: '2020-01-01',
      sure: 'yes',
      none: null,
      list: ['a', { b: true }],
    });
  });

  it('keeps block text as it stands', () => {
    expect(readYamlDocument('content: |\n  # {{args.note}}\n\n  - [ {\n')).toEqual({
      content: '# {{args.note}}\n\n- [ {\n',
    });
  });

  it.each([
    ['an alias', 'a: &x 1\nb: *x'],
    ['a tag', 'a: !!binary aGk='],
    ['a tag of its own', 'a: !thing {}'],
    ['a complex key', '? [a]\n: 1'],
    ['a directive', '%TAG ! tag:x,2000:\n---\na: 1'],
    ['the same key twice', 'a: 1\na: 2'],
    ['two documents', 'a: 1\n---\nb: 2'],
    ['a tab as indentation', 'a:\n\tb: 1'],
    ['an unfinished list', 'a: [1'],
    ['a list on the outside', '- 1'],
    ['nothing', ''],
  ])('with %s is refused', (_, text) => {
    expect(() => readYamlDocument(text)).toThrow(/config_yaml/);
  });

  it('tells where it stops being YAML', () => {
    expect(() => readYamlDocument('a: 1\nb: [1, 2\nc: 3\n')).toThrow(/line 3, column 1/);
  });

  it.each([
    ['deep flow', '['.repeat(100_000)],
    ['deep compact lists', '- '.repeat(100_000)],
    ['stacked complex keys', '? '.repeat(100_000)],
    ['stacked anchors', '&a '.repeat(80_000)],
    ['many tokens', `{${'a,'.repeat(60_000)}}`],
    ['more bytes than allowed', 'a: '.padEnd(256 * 1024 + 1, 'x')],
  ])('that would cost the server dearly (%s) is refused before it is parsed', (_, text) => {
    expect(() => readYamlDocument(text)).toThrow(/config_yaml/);
  });
});
