import { isWellFormed, ValidationError } from '@cleveragents/kernel';

const MAX_KEY_LENGTH = 128;

/**
 * The explicit key of a request: the header's, else `metadata.idempotencyKey`; null = it has none. One that cannot be
 * honoured is refused: ignored, it would let a retry run an agent twice.
 */
export function explicitKey(header: string | null, inMetadata: unknown): string | null {
  if (header !== null) return checked('Idempotency-Key', header);
  return inMetadata === undefined || inMetadata === null ? null : checked('metadata.idempotencyKey', inMetadata);
}

function checked(path: string, key: unknown): string {
  if (typeof key !== 'string') throw ValidationError.of(path, 'must be a string');
  if (key === '') throw ValidationError.of(path, 'must not be empty');
  if (key.length > MAX_KEY_LENGTH) throw ValidationError.of(path, `must have at most ${MAX_KEY_LENGTH} characters`);
  // Keys are compared by their hash, in which all halves of surrogate pairs are alike.
  if (!isWellFormed(key)) throw ValidationError.of(path, 'must be well-formed Unicode');
  return key;
}
