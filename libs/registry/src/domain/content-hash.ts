import { createHash } from 'node:crypto';
import { canonicalJson } from '@cleveragents/kernel';

/** The same for the same content, whatever the order of its keys and whoever computes it. */
export function contentHash(value: unknown): string {
  return `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;
}
