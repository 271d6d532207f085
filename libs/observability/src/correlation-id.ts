import { randomUUID } from 'node:crypto';

const ACCEPTED = /^[A-Za-z0-9._:/+=@-]{1,128}$/;

/** The caller's correlation id if it is safe to store and to echo, else a new one. */
export function correlationIdFrom(header: string | undefined): string {
  return header !== undefined && ACCEPTED.test(header) ? header : randomUUID();
}
