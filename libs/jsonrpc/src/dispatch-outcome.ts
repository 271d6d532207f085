import type { Observable } from 'rxjs';
import type { Answer, AnswerHeaders } from './failed-call.js';
import type { ErrorContext } from './json-rpc-error.js';

export interface SingleOutcome extends Answer {
  readonly kind: 'single';
}

/** One event of a stream in the caller's form. */
export interface StreamElement {
  /** Stands at the last of the texts: with it the reader has the whole event. */
  readonly cursor: string | null;
  /** Each on one line. */
  readonly texts: readonly string[];
}

export interface StreamOutcome {
  readonly kind: 'stream';
  readonly idText: string;
  /** An error before the first element is answered as a FailedCall, not as a stream. */
  readonly events: Observable<StreamElement>;
  readonly context: ErrorContext;
  readonly headers: AnswerHeaders;
}

/** A notification was carried out, or a batch held nothing else: there is nothing to say. */
export interface NoOutcome {
  readonly kind: 'none';
}

export type DispatchOutcome = SingleOutcome | StreamOutcome | NoOutcome;

export const NOTHING: NoOutcome = Object.freeze({ kind: 'none' });
