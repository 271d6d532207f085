import { DependencyAwayError } from './protocol-errors.js';

/** SQLSTATE classes 08 (connection) and 57P (the server shuts down or starts), 53300 (no connection left). */
const SQL_STATES = /^(?:08|57P|53300)/;
/** Of an open connection; whatever fails in `connect` or in the look-up of a name counts by its system call. */
const SOCKET_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
const CONNECTING: ReadonlySet<string> = new Set(['connect', 'getaddrinfo']);
/** pg tells of a lost connection in words alone. */
const LOST_CONNECTION = /^(?:Connection terminated|timeout expired|timeout exceeded when trying to connect)/;

const MAX_CAUSES = 5;

/** What a caller is told instead of a fault of something the server needs: that trying again is worth it. */
export function asCallError(error: unknown): unknown {
  return isDependencyFault(error, 0) ? new DependencyAwayError({ cause: error }) : error;
}

function isDependencyFault(error: unknown, depth: number): boolean {
  if (!(error instanceof Error) || depth > MAX_CAUSES) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code === 'string' && (SQL_STATES.test(code) || SOCKET_CODES.has(code))) return true;
  if (typeof syscall === 'string' && CONNECTING.has(syscall)) return true;
  return LOST_CONNECTION.test(error.message) || isDependencyFault(error.cause, depth + 1);
}
