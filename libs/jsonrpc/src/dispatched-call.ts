import type { Origin, Principal } from '@cleveragents/kernel';
import type { Dialect } from '@cleveragents/protocol';
import type { CallContext } from './call-context.js';
import type { Caller } from './caller.js';

/** The CallContext of one call. `signal` stays a getter: most calls never ask, and making one is not free. */
export class DispatchedCall implements CallContext {
  readonly origin: Origin;
  readonly transport: Caller['transport'];
  readonly idempotencyKey: string | null;
  readonly lastEventId: string | null;

  constructor(
    readonly principal: Principal,
    readonly dialect: Dialect,
    method: string,
    private readonly caller: Caller,
  ) {
    this.origin = {
      userIdentity: principal.id,
      tokenId: principal.tokenId,
      method,
      correlationId: caller.correlationId,
    };
    this.transport = caller.transport;
    this.idempotencyKey = caller.idempotencyKey;
    this.lastEventId = caller.lastEventId;
  }

  get signal(): AbortSignal {
    return this.caller.signal;
  }
}
