import { isJsonObject, ROLES, type Principal, type Role } from '@cleveragents/kernel';
import { LOCAL_OWNER } from './local-owner.js';

/** What a token of this server says, its signature being verified. */
export interface TokenClaims {
  readonly sub?: unknown;
  readonly jti?: unknown;
  readonly exp?: unknown;
  /** Role by namespace; every subject but the local owner needs it. */
  readonly grants?: unknown;
}

const NAMESPACE = /^[a-z][a-z0-9_-]{0,63}$/;

/**
 * The caller that a token stands for; null for claims that name nobody. Only this server's own key signs such tokens,
 * so that the roles they name are roles the server gave. The subject is also the name of the personal namespace.
 */
export function principalOf(claims: TokenClaims): Principal | null {
  const who = claims.sub === LOCAL_OWNER.id ? LOCAL_OWNER : memberOf(claims);
  if (who === null) return null;
  return {
    ...who,
    tokenId: typeof claims.jti === 'string' ? claims.jti : null,
    expiresAt: typeof claims.exp === 'number' ? claims.exp : null,
  };
}

function memberOf({ sub, grants }: TokenClaims): Principal | null {
  if (typeof sub !== 'string' || !NAMESPACE.test(sub) || !isJsonObject(grants)) return null;
  const roles = Object.entries(grants);
  if (!roles.every((entry): entry is [string, Role] => NAMESPACE.test(entry[0]) && isRole(entry[1]))) return null;
  return {
    id: sub,
    displayName: sub,
    kind: 'user',
    tokenId: null,
    isServerAdmin: false,
    grants: new Map<string, Role>([...roles, [sub, 'owner']]),
    personalNamespace: sub,
    expiresAt: null,
  };
}

function isRole(value: unknown): value is Role {
  return ROLES.some((role) => role === value);
}
