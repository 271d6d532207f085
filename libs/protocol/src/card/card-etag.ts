import { createHash } from 'node:crypto';
import { canonicalJson } from '@cleveragents/kernel';

/** Strong entity tag of a card: equal on every replica that serves the same content. */
export function cardETag(card: object): string {
  return `"${createHash('sha256').update(canonicalJson(card)).digest('base64url')}"`;
}
