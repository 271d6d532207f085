import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, ServerAddress, type AppConfig } from '@cleveragents/config';
import { JsonRpcRegistry } from '@cleveragents/jsonrpc';
import { buildCard10, type AgentCard, type CardFacts, type Operation, type SkillId } from '@cleveragents/protocol';
import { CardSigner } from './card-signer.js';
import { documentOf, type CardDocument, type CardForm } from './card-document.js';

/** Grows by a minor step with every addition; a removal needs a deprecation first. */
const CARD_VERSION = '1.0';

export const JWKS_PATH = '/.well-known/jwks.json';

/** The methods whose presence makes a skill. */
const METHOD_PREFIX_OF_SKILL: Readonly<Record<SkillId, string>> = {
  'plan-lifecycle': '_cleveragents/plan/',
  'registry-crud': '_cleveragents/registry/',
  'context-mgmt': '_cleveragents/context/',
  'entity-sync': '_cleveragents/sync/',
  'namespace-mgmt': '_cleveragents/namespace/',
};

/** The agent cards of this server: they promise what the registry holds and nothing else. */
@Injectable()
export class AgentCards {
  private readonly documents = new Map<CardForm, Promise<CardDocument>>();

  constructor(
    private readonly registry: JsonRpcRegistry,
    private readonly address: ServerAddress,
    private readonly signer: CardSigner,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  /** The public card; its content is fixed once the server listens. */
  document(form: CardForm): Promise<CardDocument> {
    const known = this.documents.get(form) ?? this.makeDocument(form);
    this.documents.set(form, known);
    return known;
  }

  /** The public card in the form of A2A 1.0, unsigned. */
  card(): AgentCard {
    return buildCard10(this.facts());
  }

  /** Any card of this server, signed where there is a key. */
  signed(card: AgentCard): Promise<AgentCard> {
    return this.signer.signed(card, `${this.address.baseUrl()}${JWKS_PATH}`);
  }

  private async makeDocument(form: CardForm): Promise<CardDocument> {
    return documentOf(await this.signed(this.card()), form);
  }

  private facts(): CardFacts {
    const names = this.registry.list().map(({ name }) => name);
    const prefixes = Object.entries(METHOD_PREFIX_OF_SKILL) as [SkillId, string][];
    return {
      baseUrl: this.address.baseUrl(),
      version: CARD_VERSION,
      streaming: this.offers('SendStreamingMessage'),
      pushNotifications: this.offers('CreateTaskPushNotificationConfig'),
      extendedCard: this.offers('GetExtendedAgentCard'),
      extensionRequired: this.config.a2a.extensionRequired,
      skills: prefixes.filter(([, prefix]) => names.some((name) => name.startsWith(prefix))).map(([id]) => id),
    };
  }

  private offers(operation: Operation): boolean {
    return this.registry.find(operation) !== undefined;
  }
}
