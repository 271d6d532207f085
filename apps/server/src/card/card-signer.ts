import { readFile } from 'node:fs/promises';
import { Inject, type FactoryProvider } from '@nestjs/common';
import { PublishesKeys, type KeySource } from '@cleveragents/auth';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { ConfigurationError } from '@cleveragents/kernel';
import { cardETag, readCardKey, signCard, type AgentCard, type CardKey } from '@cleveragents/protocol';
import { LRUCache } from 'lru-cache';

/** Injection token of the CardKey; null = cards are not signed. */
const CARD_KEY = Symbol('CARD_KEY');

/** An unusable key ends the start: a server that was told to sign must not serve unsigned cards. */
export const cardKeyProvider: FactoryProvider<CardKey | null> = {
  provide: CARD_KEY,
  inject: [APP_CONFIG],
  useFactory: async ({ a2a }: AppConfig) => {
    if (a2a.cardKeyFile === null) return null;
    const pem = await readFile(a2a.cardKeyFile, 'utf8').catch((error: unknown) => {
      const key = 'AGENT_CARD_KEY_FILE';
      throw new ConfigurationError(`The file of ${key} cannot be read`, { key }, { cause: error });
    });
    return readCardKey(pem);
  },
};

const MAX_REMEMBERED = 1000;

/** Signs agent cards; one that was signed before is not signed again. */
@PublishesKeys({})
export class CardSigner implements KeySource {
  private readonly signatures = new LRUCache<string, Promise<AgentCard>>({ max: MAX_REMEMBERED });

  constructor(@Inject(CARD_KEY) private readonly key: CardKey | null) {}

  /** `jwksUrl`: where verifiers find the public key. */
  async signed(card: AgentCard, jwksUrl: string): Promise<AgentCard> {
    if (this.key === null) return card;
    const content = cardETag(card);
    const known = this.signatures.get(content) ?? signCard(card, this.key, jwksUrl);
    this.signatures.set(content, known);
    return known;
  }

  async publicKeys(): Promise<readonly CardKey['publicJwk'][]> {
    return this.key === null ? [] : [this.key.publicJwk];
  }
}
