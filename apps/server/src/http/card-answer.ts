import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CardDocument, CardForm } from '../card/card-document.js';
import { headerOf, queryOf } from './request-facts.js';

const MAX_AGE_SECONDS = 300;
const VERSION_1_0 = /^1\.0(\.\d+)?$/;

export interface CardCaching {
  /** The answer depends on who asks: no shared cache may keep it. */
  readonly isPrivate: boolean;
  /** HTTP date; null where the content may change at any time. */
  readonly lastModified: string | null;
}

/** The form for whoever states a version; without one, the card that every generation can read. */
export function statedForm(request: IncomingMessage): CardForm {
  const stated = headerOf(request, 'a2a-version')?.trim() || queryOf(request, 'A2A-Version')?.trim() || '';
  return VERSION_1_0.test(stated) ? 'pure' : 'superset';
}

export function writeCard(
  document: CardDocument,
  { isPrivate, lastModified }: CardCaching,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  response.setHeader('ETag', document.etag);
  if (lastModified !== null) response.setHeader('Last-Modified', lastModified);
  response.setHeader('Cache-Control', `${isPrivate ? 'private, ' : ''}max-age=${MAX_AGE_SECONDS}`);
  response.appendHeader('Vary', isPrivate ? 'A2A-Version, Authorization' : 'A2A-Version');
  if (isKnown(document, headerOf(request, 'if-none-match'))) {
    response.writeHead(304).end();
    return;
  }
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(document.text),
  });
  response.end(document.text);
}

/** RFC 9110 §13.1.2: weak comparison. */
function isKnown(document: CardDocument, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = new Set(ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, '')));
  return tags.has(document.etag) || tags.has('*');
}
