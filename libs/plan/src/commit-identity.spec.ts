import type { Principal } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { commitIdentityOf } from './commit-identity.js';

function principal(id: string, displayName: string): Principal {
  return {
    id,
    displayName,
    kind: 'user',
    tokenId: null,
    isServerAdmin: false,
    grants: 'all',
    personalNamespace: 'local',
    expiresAt: null,
  };
}

describe('commitIdentityOf', () => {
  it('signs with the caller’s name and an address that reaches nobody', () => {
    expect(commitIdentityOf(principal('ada', 'Ada Lovelace'))).toEqual({
      name: 'Ada Lovelace',
      email: 'ada@users.cleveragents.invalid',
    });
  });

  it('keeps out what would change the meaning of a commit header', () => {
    expect(commitIdentityOf(principal('idp|42', 'Eve <root@x>\n'))).toEqual({
      name: 'Eve -root@x-',
      email: 'idp-42@users.cleveragents.invalid',
    });
    expect(commitIdentityOf(principal('ada', '  ')).name).toBe('ada');
  });
});
