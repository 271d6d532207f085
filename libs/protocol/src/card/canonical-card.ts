import { isJsonObject, type JsonObject, type JsonValue } from '@cleveragents/kernel';
import canonicalize from 'canonicalize';
import type { AgentCard } from './agent-card.js';

/**
 * The text that a card's signature covers (A2A 1.0 §8.4): the card without its signatures and without what is unset, in
 * the one form that RFC 8785 gives it. The official SDKs take every empty text, list and object for unset, required
 * members too; verifiers read cards with them, so that this reading is the one to follow.
 */
export function canonicalCard({ signatures: _signatures, ...card }: AgentCard): string {
  const extensions = card.capabilities.extensions.map(withoutDefault);
  const capabilities = { ...card.capabilities, extensions };
  return canonicalize(setMembers({ ...card, capabilities } as unknown as JsonObject)) ?? '{}';
}

/** `required` has no presence in the schema: false and absent are the same. */
function withoutDefault({ required, ...extension }: AgentCard['capabilities']['extensions'][number]): object {
  return required ? { ...extension, required } : extension;
}

function setMembers(value: JsonValue | undefined): JsonValue | undefined {
  if (value === '' || value === null) return undefined;
  if (Array.isArray(value)) {
    const items = value.map(setMembers).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, setMembers(member)] as const);
  const set = members.filter(([, member]) => member !== undefined);
  return set.length === 0 ? undefined : Object.fromEntries(set);
}
