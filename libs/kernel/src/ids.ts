import { monotonicFactory } from 'ulidx';

const nextUlid = monotonicFactory();

/** A new ULID: 26 characters of upper-case Crockford base32, ordered by time and monotonic within the process. */
export function newUlid(): string {
  return nextUlid();
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

export function isUlid(text: string): boolean {
  return ULID.test(text);
}
