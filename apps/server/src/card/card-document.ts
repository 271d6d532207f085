import { cardETag, supersetOf, type AgentCard } from '@cleveragents/protocol';

/** `pure`: the form of A2A 1.0 alone; `superset`: one that every generation can read. */
export type CardForm = 'pure' | 'superset';

/** A card as it is served. */
export interface CardDocument {
  readonly text: string;
  readonly etag: string;
}

/**
 * The tag is the same on every replica, though signatures differ from one signing to the next: of them only the header
 * counts, which names the key.
 */
export function documentOf(card: AgentCard, form: CardForm): CardDocument {
  const text = JSON.stringify(form === 'pure' ? card : supersetOf(card));
  const signedBy = card.signatures?.map((signature) => signature.protected) ?? [];
  return { text, etag: cardETag({ ...card, signatures: signedBy, form }) };
}
