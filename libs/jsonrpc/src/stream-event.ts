import type { Dialect, StreamResponse } from '@cleveragents/protocol';

/** One committed event of a stream, before it is put into the caller's dialect. */
export interface StreamEvent {
  /** Opaque replay cursor (SSE `id:`); null for an element that cannot be resumed from. */
  readonly cursor: string | null;
  /** The StreamResponse as JSON text of A2A 1.0. */
  readonly text: string;
  /** The stream ends after this element, by the rule of the operation that opened it. */
  readonly isLast: boolean;
  /** Generation that the task was born in; said by the first element, which is the task. */
  readonly bornIn?: Dialect;
  /** The element as a value; parsed from `text` at most once however many readers and dialects ask. */
  value(): StreamResponse;
}
