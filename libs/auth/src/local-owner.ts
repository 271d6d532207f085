import type { Principal } from '@cleveragents/kernel';

/** The one user of single-user mode and of stdio; the same on every replica, so that all own the same things. */
export const LOCAL_OWNER: Principal = Object.freeze({
  id: 'local-owner',
  displayName: 'local owner',
  kind: 'local',
  tokenId: null,
  isServerAdmin: true,
  grants: 'all',
  personalNamespace: 'local',
  expiresAt: null,
});
