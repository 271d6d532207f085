import { FlattenedSign } from 'jose';
import type { AgentCard } from './agent-card.js';
import { canonicalCard } from './canonical-card.js';
import type { CardKey } from './card-key.js';

/**
 * The card with a signature more, a detached JWS over its canonical form (A2A 1.0 §8.4). Takes the pure 1.0 card: what
 * `supersetOf` adds to it is foreign to verifiers and outside the signature. `jwksUrl`: where they find the public key.
 */
export async function signCard(card: AgentCard, key: CardKey, jwksUrl?: string): Promise<AgentCard> {
  const { protected: header = '', signature } = await new FlattenedSign(new TextEncoder().encode(canonicalCard(card)))
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'JOSE', ...(jwksUrl === undefined ? {} : { jku: jwksUrl }) })
    .sign(key.privateKey);
  return { ...card, signatures: [...(card.signatures ?? []), { protected: header, signature }] };
}
