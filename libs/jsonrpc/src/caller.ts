import type { AuthenticationError, Principal } from '@cleveragents/kernel';

/** What a transport knows of a caller before the call itself is read. */
export interface Caller {
  /** Who calls, or why that could not be established. */
  readonly identity: Principal | AuthenticationError;
  readonly transport: 'http' | 'stdio';
  readonly correlationId: string;
  /** `A2A-Version` header and query parameter, as written. */
  readonly versionHeader: string | undefined;
  readonly versionQuery: string | undefined;
  /** URIs of the extensions that the caller activates. */
  readonly extensions: readonly string[];
  readonly idempotencyKey: string | null;
  readonly lastEventId: string | null;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
}
