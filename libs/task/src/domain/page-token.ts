import { hash } from 'node:crypto';
import { canonicalJson, ValidationError } from '@cleveragents/kernel';

/** The row after which a page begins. */
export interface PagePosition {
  /** RFC 3339 with microseconds, as PostgreSQL keeps it. */
  readonly at: string;
  readonly id: string;
}

/** Opaque to clients; bound to the filters (which hold the owner), so that it cannot be used with others. */
export function pageToken(position: PagePosition, filter: object): string {
  const token = { at: position.at, id: position.id, for: fingerprint(filter) };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

export function readPageToken(token: string | undefined, filter: object): PagePosition | null {
  if (token === undefined || token === '') return null;
  try {
    const read = JSON.parse(Buffer.from(token, 'base64url').toString()) as Partial<PagePosition & { for: string }>;
    const { at, id } = read;
    if (isTime(at) && isId(id) && read.for === fingerprint(filter)) return { at, id };
  } catch {
    // Falls through to the refusal: whatever cannot be read is no token of ours.
  }
  throw ValidationError.of('pageToken', 'is not a token of this list');
}

function fingerprint(filter: object): string {
  return hash('sha256', canonicalJson(filter), 'hex').slice(0, 16);
}

/** A token can be made up: nothing of it reaches the database that is not of the kind that was given out. */
function isTime(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(value)) return false;
  const time = new Date(value);
  return !Number.isNaN(time.getTime()) && time.toISOString().slice(0, 19) === value.slice(0, 19);
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}
