import { hash } from 'node:crypto';
import { canonicalJson } from '@cleveragents/kernel';

/** A request under a key that was used for another payload is refused only within this time; then the key is free. */
export const IDEMPOTENCY_WINDOW_MS = 24 * 3600 * 1000;

export interface RequestKey {
  /** Id of the task that this request makes, the same for every retry: the primary key finds the twin. */
  readonly taskId: string;
  /** Set under an explicit key only: what the payload must be for the request to count as a retry. */
  readonly requestHash: string | null;
  /** The key of the same request once this one has outlived its window. */
  next(): RequestKey;
}

/**
 * Identity of a request (decisions P10). Under an explicit key the caller and the key make the id; without one the caller,
 * the messageId and the canonical params do. `generation` counts the windows that the identity has outlived.
 */
export function requestKey(
  owner: string,
  explicitKey: string | null,
  messageId: string,
  params: object,
  generation = 0,
): RequestKey {
  const payload = canonicalJson(params);
  const identity = explicitKey === null ? ['message', owner, messageId, payload] : ['key', owner, explicitKey];
  return {
    taskId: uuidOf([...identity, String(generation)]),
    requestHash: explicitKey === null ? null : hash('sha256', payload, 'hex'),
    next: () => requestKey(owner, explicitKey, messageId, params, generation + 1),
  };
}

/**
 * The task that a client of A2A 0.1 gave this name: the same for every call of that client, and nobody else's name leads
 * to it. It does not expire: the name is the task's id on the wire.
 */
export function clientTaskKey(owner: string, name: string): RequestKey {
  const key: RequestKey = { taskId: uuidOf(['name', owner, name]), requestHash: null, next: () => key };
  return key;
}

/** A UUID (version 8, RFC 9562 §5.8) from the SHA-256 of the texts. */
function uuidOf(texts: readonly string[]): string {
  const hex = hash('sha256', texts.join('\0'), 'hex');
  const variant = ((parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
