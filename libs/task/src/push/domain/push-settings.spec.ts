import { ValidationError } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { checkSettings, HIDDEN } from './push-settings.js';

const URL = 'https://receiver.example/hook';

function pathsOf(settings: object): string[] {
  try {
    checkSettings({ url: URL, ...settings }, 'config.');
    return [];
  } catch (error) {
    return (error as ValidationError).problems.map(({ path }) => path);
  }
}

describe('settings of a webhook', () => {
  it.each([
    {},
    { id: 'default' },
    { token: 'nt-1' },
    { token: 'two words' },
    { authentication: { scheme: 'Bearer', credentials: 'tok-one' } },
    { authentication: { scheme: 'Basic', credentials: 'dXNlcjpwdw==' } },
    { authentication: { scheme: 'bearer' } },
  ])('may be %j', (settings) => {
    expect(pathsOf(settings)).toEqual([]);
  });

  it.each(['a\r\nX-Evil: 1', '  ', '', ' a', 'a ', 'a\tb', 'a\0', 'ä', '\u2028', HIDDEN])(
    'R24: may not hold the secret %j',
    (secret) => {
      expect(pathsOf({ authentication: { scheme: 'Bearer', credentials: secret } })).toEqual([
        'config.authentication.credentials',
      ]);
      expect(pathsOf({ token: secret })).toEqual(['config.token']);
    },
  );

  it.each(['', 'Bearer x', 'Bearer\r\n', 'a:b'])('may not name the scheme %j', (scheme) => {
    expect(pathsOf({ authentication: { scheme, credentials: 'x' } })).toEqual(['config.authentication.scheme']);
  });

  it('need credentials with every scheme that this server has no answer to', () => {
    expect(pathsOf({ authentication: { scheme: 'Basic' } })).toEqual(['config.authentication.credentials']);
  });

  it.each(['https://a.example/\nx', 'https://a.example/a b', 'https://ä.example/', ''])(
    'may not hold the URL %j',
    (url) => {
      expect(pathsOf({ url })).toEqual(['config.url']);
    },
  );

  it('are refused with everything that is wrong', () => {
    expect(pathsOf({ id: '\n', token: '', url: '', authentication: { scheme: 'X', credentials: '' } })).toHaveLength(4);
  });
});
