import { ANONYMOUS } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { requestedNamespace } from './requested-namespace.js';

const caller = { ...ANONYMOUS, personalNamespace: '7F3A|sso' };

describe('the namespace that a request names', () => {
  it.each([
    [{}, null],
    [{ tenant: '' }, null],
    [{ metadata: {} }, null],
    [{ metadata: { namespace: null } }, null],
    [{ tenant: 'acme' }, 'acme'],
    [{ tenant: 'ACME' }, 'acme'],
    [{ metadata: { namespace: 'Acme-2' } }, 'acme-2'],
    [{ tenant: 'a', metadata: { namespace: 'b' } }, 'a'],
    [{ tenant: '', metadata: { namespace: 'b' } }, 'b'],
    [{ tenant: '7F3A|sso' }, '7F3A|sso'],
  ])('of %j is %j', (params, namespace) => {
    expect(requestedNamespace(params, caller)).toBe(namespace);
  });

  it.each([
    [{ tenant: '7f3a|sso' }, 'tenant is no namespace'],
    [{ tenant: 'a'.repeat(65) }, 'tenant is no namespace'],
    [{ tenant: 'a\u001fb' }, 'tenant is no namespace'],
    [{ metadata: { namespace: '' } }, 'metadata.namespace is no namespace'],
    [{ metadata: { namespace: '9lives' } }, 'metadata.namespace is no namespace'],
    [{ metadata: { namespace: 7 } }, 'metadata.namespace must be a string'],
    [{ metadata: { namespace: { name: 'acme' } } }, 'metadata.namespace must be a string'],
    [{ metadata: { namespace: ['acme'] } }, 'metadata.namespace must be a string'],
  ])('is refused by its path: %j', (params, fault) => {
    expect(() => requestedNamespace(params, caller)).toThrow(fault);
  });
});
