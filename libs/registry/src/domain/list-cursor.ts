import { ValidationError } from '@cleveragents/kernel';

/** Place of an entity in the order of lists. Built-in entities stand in the namespace '' and so before all others. */
export interface ListPosition {
  readonly namespace: string;
  readonly name: string;
}

export function encodeCursor({ namespace, name }: ListPosition): string {
  return Buffer.from(JSON.stringify([namespace, name])).toString('base64url');
}

/** The position after which a page begins; anything that `encodeCursor` did not make is refused. */
export function decodeCursor(cursor: string): ListPosition {
  const position = parsePair(Buffer.from(cursor, 'base64url').toString());
  if (position === null || encodeCursor(position) !== cursor) {
    throw ValidationError.of('cursor', 'must be a next_cursor of an earlier answer');
  }
  return position;
}

function parsePair(text: string): ListPosition | null {
  try {
    const pair: unknown = JSON.parse(text);
    if (!Array.isArray(pair) || pair.length !== 2) return null;
    const [namespace, name] = pair as unknown[];
    return typeof namespace === 'string' && typeof name === 'string' ? { namespace, name } : null;
  } catch {
    return null;
  }
}
