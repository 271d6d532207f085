import { AuthenticationError } from '@cleveragents/kernel';
import { asCallError } from './dependency-fault.js';
import { statusOf } from './error-codes.js';
import { toJsonRpcError, type ErrorContext } from './json-rpc-error.js';
import { DependencyAwayError, PostRequiredError, ServerStoppingError } from './protocol-errors.js';

/** The text of one answer and what a transport may say beside it. */
export interface Answer {
  readonly body: string;
  /** HTTP status. */
  readonly status: number;
  readonly headers: AnswerHeaders;
}

export type AnswerHeaders = Readonly<Record<string, string>>;

export const NO_HEADERS: AnswerHeaders = Object.freeze({});

/** A call that ends in an error, with all that the answer to it needs. */
export class FailedCall extends Error {
  override readonly cause: unknown;

  constructor(
    error: unknown,
    readonly context: ErrorContext,
    /** The id to answer with, as JSON text. */
    readonly idText: string,
    readonly headers: AnswerHeaders = NO_HEADERS,
  ) {
    super('JSON-RPC call failed');
    this.name = 'FailedCall';
    this.cause = asCallError(error);
  }
}

/** The one way an error becomes an answer: HTTP filter, front door, batch, stream and stdio all come here. */
export function toErrorAnswer(failed: FailedCall): Answer {
  const error = toJsonRpcError(failed.cause, failed.context);
  return {
    body: `{"jsonrpc":"2.0","id":${failed.idText},"error":${JSON.stringify(error)}}`,
    status: statusOf(failed.cause),
    headers: { ...failed.headers, ...adviceFor(failed.cause) },
  };
}

/** What HTTP wants beside certain statuses, so that a client knows what to do next. */
function adviceFor(error: unknown): AnswerHeaders {
  if (error instanceof AuthenticationError) return { 'WWW-Authenticate': challenge(error) };
  if (error instanceof ServerStoppingError) return { 'Retry-After': '1', Connection: 'close' };
  if (error instanceof DependencyAwayError) return { 'Retry-After': '1' };
  return error instanceof PostRequiredError ? { Allow: 'POST' } : NO_HEADERS;
}

/** RFC 6750 §3: the error code only where a credential was presented. */
function challenge(error: AuthenticationError): string {
  return error.reason === 'INVALID_TOKEN' ? 'Bearer error="invalid_token"' : 'Bearer realm="cleveragents"';
}
