import type { JsonObject, JsonValue } from '@cleveragents/kernel';
import type { StreamResponse } from '../a2a.js';
import type { Dialect, Operation } from '../dialect.js';

/** Spells the elements of one stream, in their order. */
export interface StreamEncoder {
  /**
   * One event as the elements that stand for it, at least one; with the last of them the reader has the whole event,
   * so that a replay cursor belongs there. `closesStream`: the stream ends after it by the rule of the operation.
   */
  encode(event: StreamResponse, closesStream: boolean): readonly JsonObject[];
}

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
  /**
   * The id by which the caller's params name the task, in a generation whose clients choose it themselves (0.1). The
   * answer must use the same, whatever the task is called inside.
   */
  wireTaskId(params: JsonObject): string | undefined;
  /** A 1.0 result of the operation as the caller's generation spells it; `wireTaskId` if the caller chose one. */
  encode(operation: Operation, result: JsonValue, wireTaskId?: string): JsonValue;
  /**
   * The encoder of one stream. Where elements do not depend on each other every call gives the same object, so that
   * what it wrote for one reader may be kept for the others.
   */
  streamEncoder(wireTaskId?: string): StreamEncoder;
}
