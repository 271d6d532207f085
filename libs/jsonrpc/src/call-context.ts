import type { Origin, Principal } from '@cleveragents/kernel';
import type { Dialect } from '@cleveragents/protocol';

/** What a handler may know about the call it serves; the same over HTTP and over stdio. */
export interface CallContext {
  readonly principal: Principal;
  readonly origin: Origin;
  readonly transport: 'http' | 'stdio';
  readonly dialect: Dialect;
  /** Aborts when the caller leaves. Work that must outlive the call does not listen to it. */
  readonly signal: AbortSignal;
  /** `Idempotency-Key` header, if any. */
  readonly idempotencyKey: string | null;
  /** `Last-Event-ID` header, if any: a replay cursor, not yet checked. */
  readonly lastEventId: string | null;
}
