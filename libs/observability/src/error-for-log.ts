/** An error as the log shows it: what happened and where, never the values that a failed statement carried. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: string;
  readonly cause?: LoggedError;
}

const MAX_CAUSES = 5;

/**
 * Only named members are written: database errors keep the whole statement, its parameters and the offending row beside
 * their message, and those are what callers sent.
 */
export function errorForLog(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    message,
    ...(stack === undefined ? {} : { stack }),
    ...(typeof code === 'string' ? { code } : {}),
    ...(cause === undefined || depth >= MAX_CAUSES ? {} : { cause: errorForLog(cause, depth + 1) }),
  };
}
