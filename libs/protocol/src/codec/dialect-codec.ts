import type { JsonObject, JsonValue } from '@cleveragents/kernel';
import type { StreamResponse } from '../a2a.js';
import type { Dialect, Operation } from '../dialect.js';

/** Translates between one generation of A2A on the wire and the 1.0 form that the platform speaks inside. */
export interface DialectCodec {
  readonly dialect: Dialect;
  /** The wire form is the internal form: answers that already are JSON text may go out as they are. */
  readonly isIdentity: boolean;
  /**
   * The caller's params as the 1.0 request of the operation. Tolerant: the spellings of other generations are
   * understood and what no generation knows is left out. An ill-typed value passes through untouched, so that the
   * validation of the 1.0 request names it. Throws ValidationError only where two spellings contradict each other.
   * `method` is the name as the caller wrote it: 0.x `…/set` without an id means the configuration named `default`.
   */
  decode(operation: Operation, params: JsonObject, method?: string): JsonObject;
  /** A 1.0 result of the operation as the caller's generation spells it. */
  encode(operation: Operation, result: JsonValue): JsonValue;
  /** One element of a stream. `closesStream`: the stream ends after it by the rule of the operation. */
  event(event: StreamResponse, closesStream: boolean): JsonObject;
}
