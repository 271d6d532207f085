import {
  A2aError,
  ANONYMOUS,
  AuthenticationError,
  AuthorizationError,
  hasAtLeast,
  type Principal,
  type Role,
} from '@cleveragents/kernel';
import { EXTENSION_URI } from '@cleveragents/protocol';
import type { Caller } from './caller.js';
import type { Access } from './decorators.js';

/**
 * Who calls, if the caller may have the call looked at. Without valid credentials nothing but a public method is
 * answered, so that an unknown name and a known one cannot be told apart.
 */
export function authenticated(caller: Caller, access: Access | undefined): Principal {
  if (!(caller.identity instanceof AuthenticationError)) return caller.identity;
  if (access === 'public') return ANONYMOUS;
  throw caller.identity;
}

/** With A2A_EXTENSION_REQUIRED a caller must say that it knows what it calls. */
export function requireExtension(caller: Caller): void {
  if (caller.transport === 'stdio' || caller.extensions.includes(EXTENSION_URI)) return;
  throw new A2aError(
    'This server requires an extension to be activated',
    { extension: EXTENSION_URI },
    { reason: 'EXTENSION_SUPPORT_REQUIRED' },
  );
}

/**
 * The coarse half of authorization: a role that the caller holds nowhere cannot be held in the namespace concerned.
 * Which namespace that is, and the rest, only the service of the method knows.
 */
export function requireAccess(principal: Principal, access: Access): void {
  if (!hasAccess(principal, access)) throw new AuthorizationError('Not allowed', { required_role: access });
}

export function hasAccess(principal: Principal, access: Access): boolean {
  if (access === 'public' || access === 'authenticated' || principal.isServerAdmin) return true;
  return access !== 'server_admin' && holdsSomewhere(principal.grants, access);
}

function holdsSomewhere(grants: Principal['grants'], required: Role): boolean {
  return grants === 'all' || [...grants.values()].some((role) => hasAtLeast(role, required));
}
