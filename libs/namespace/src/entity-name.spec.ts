import { ValidationError } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { formatName, type NameScope, parseEntityName, parseNamespace } from './entity-name.js';

const SINGLE_USER: NameScope = { personalNamespace: 'local', hasLocal: true, ownServers: ['agents.example.com'] };
const MULTI_USER: NameScope = { ...SINGLE_USER, personalNamespace: 'ada', hasLocal: false };

function parsed(text: string, scope = SINGLE_USER): string {
  return formatName(parseEntityName(text, scope, 'name'));
}

function refused(text: string, scope = SINGLE_USER): string {
  try {
    return `${parsed(text, scope)} was accepted`;
  } catch (error) {
    return error instanceof ValidationError ? error.reason : String(error);
  }
}

describe('an entity name', () => {
  it('is read with and without namespace and server', () => {
    expect(parsed('acme/api')).toBe('acme/api');
    expect(parsed('agents.example.com:acme/api')).toBe('acme/api');
    expect(parsed('api')).toBe('local/api');
    expect(parsed('api', MULTI_USER)).toBe('ada/api');
    expect(parsed('local/api')).toBe('local/api');
  });

  it('is compared without regard to case and kept in lower case', () => {
    expect(parsed('Acme/API')).toBe('acme/api');
    expect(parsed('Agents.Example.COM:Acme/API')).toBe('acme/api');
  });

  it.each([
    '',
    '/',
    'acme/',
    '/api',
    'a/b/c',
    '1api',
    '-api',
    '_api',
    'acme/a b',
    'acme/é',
    'a:b:c',
    'acme/a.b',
    ' api',
  ])('"%s" is none', (text) => {
    expect(refused(text)).toBe('INVALID_PARAMS');
  });

  it('has segments of at most 64 characters', () => {
    expect(parsed(`acme/${'a'.repeat(64)}`)).toBe(`acme/${'a'.repeat(64)}`);
    expect(refused(`acme/${'a'.repeat(65)}`)).toBe('INVALID_PARAMS');
  });

  it.each(['system', 'internal', 'admin', 'Root'])('does not lie in the reserved namespace %s', (namespace) => {
    expect(refused(`${namespace}/api`)).toBe('RESERVED_NAMESPACE');
  });

  it('does not lie in local/ where only clients have one', () => {
    expect(refused('local/api', MULTI_USER)).toBe('LOCAL_NAMESPACE_ON_SERVER');
  });

  it('does not lie on another server', () => {
    expect(refused('elsewhere:acme/api')).toBe('FOREIGN_SERVER');
    expect(refused(':acme/api')).toBe('FOREIGN_SERVER');
  });

  it('is refused at the path of its parameter', () => {
    expect(() => parseEntityName('1', SINGLE_USER, 'resources.3')).toThrow(/resources\.3 has a bad name/);
  });
});

describe('a namespace by itself', () => {
  it('follows the rules of one in front of a name', () => {
    expect(parseNamespace('Acme', SINGLE_USER, 'namespace')).toBe('acme');
    expect(() => parseNamespace('acme/api', SINGLE_USER, 'namespace')).toThrow(/bad namespace/);
    expect(() => parseNamespace('system', SINGLE_USER, 'namespace')).toThrow(/reserved/);
  });
});
