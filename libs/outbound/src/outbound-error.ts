import { errors } from 'undici';

const MESSAGES = {
  address_refused: 'The address is not allowed or does not resolve',
  unreachable: 'The receiver could not be reached, or broke the connection off',
  tls_failed: 'The receiver could not prove who it is',
  timed_out: 'The receiver did not answer in time',
  response_too_large: 'The answer was too large',
  bad_response: 'The answer was not valid HTTP',
  bad_request: 'The request cannot be written as HTTP',
  aborted: 'The call was given up',
} as const;

/** Why a call failed, in words that may be shown to whoever named the address. */
export type OutboundFailure = keyof typeof MESSAGES;

/** A call that ended without a whole answer. Only `failure` and `message` are for clients; `cause` may name addresses. */
export class OutboundError extends Error {
  /** What the receiver had answered before the failure, or null. It may well have accepted the call. */
  readonly status: number | null;

  constructor(
    readonly failure: OutboundFailure,
    options: ErrorOptions & { readonly status?: number | undefined } = {},
  ) {
    super(MESSAGES[failure], options);
    this.name = new.target.name;
    this.status = options.status ?? null;
  }
}

const FAILURES_BY_CODE: readonly (readonly [RegExp, OutboundFailure])[] = [
  [/^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$|^ETIMEDOUT$/, 'timed_out'],
  [/^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_|INVALID_|EPROTO$)/, 'tls_failed'],
  [/^UND_ERR_(HEADERS_OVERFLOW|RES_)/, 'bad_response'],
  [/^UND_ERR_(INVALID_ARG|REQ_)/, 'bad_request'],
];

/** Why a call ended with this error of the HTTP client: its code says so, unless one of the signals did it. */
export function failureOf(
  error: unknown,
  signals: { readonly caller: AbortSignal | undefined; readonly timeout: AbortSignal },
): OutboundFailure {
  if (error instanceof OutboundError) return error.failure;
  if (signals.caller?.aborted === true) return 'aborted';
  if (signals.timeout.aborted) return 'timed_out';
  if (error instanceof errors.HTTPParserError) return 'bad_response';
  const code = String((error as { code?: unknown } | null)?.code);
  return FAILURES_BY_CODE.find(([pattern]) => pattern.test(code))?.[1] ?? 'unreachable';
}
