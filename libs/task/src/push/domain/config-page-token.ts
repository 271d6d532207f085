import { ValidationError } from '@cleveragents/kernel';

/** A page of configurations begins after the one that the token names. Opaque to clients. */
export function configPageToken(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** The id after which a page begins; every id follows the empty one. */
export function configAfter(token: string | undefined): string {
  const id = Buffer.from(token ?? '', 'base64url').toString();
  if (configPageToken(id) === (token ?? '') && !id.includes('\0')) return id;
  throw ValidationError.of('pageToken', 'is not a token of this list');
}
