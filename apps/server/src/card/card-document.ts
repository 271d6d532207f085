import { cardETag, supersetOf, type AgentCard } from '@cleveragents/protocol';

/** `pure`: the form of A2A 1.0 alone; `superset`: one that every generation can read. */
export type CardForm = 'pure' | 'superset';

/** A card as it is served. */
export interface CardDocument {
  readonly text: string;
  readonly etag: string;
}

export function documentOf(card: object): CardDocument {
  return { text: JSON.stringify(card), etag: cardETag(card) };
}

export function inForm(card: AgentCard, form: CardForm): object {
  return form === 'pure' ? card : supersetOf(card);
}
