import type { CallContext } from '@cleveragents/jsonrpc';
import { newUlid, type Principal } from '@cleveragents/kernel';
import type { StoredTask } from './domain/stored-task.js';

/** In whose name the server itself acts on a task: nobody's rights stand in its way, whatever the namespace. */
const SYSTEM: Principal = {
  id: 'system',
  displayName: 'system',
  kind: 'local',
  tokenId: null,
  isServerAdmin: true,
  grants: 'all',
  personalNamespace: 'system',
  expiresAt: null,
};

/** The call by which a sweep does to a task what a client could do. */
export function systemCallFor({ dialect }: StoredTask): CallContext {
  return {
    principal: SYSTEM,
    origin: { userIdentity: SYSTEM.id, tokenId: null, method: null, correlationId: newUlid() },
    transport: 'http',
    dialect,
    signal: new AbortController().signal,
    idempotencyKey: null,
    lastEventId: null,
  };
}
