import type { AddressInfo } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { APP_CONFIG, isUnspecifiedHost, type AppConfig } from '@cleveragents/config';
import { JsonRpcRegistry } from '@cleveragents/jsonrpc';
import {
  buildCard10,
  buildSupersetCard,
  cardETag,
  type CardFacts,
  type Operation,
  type SkillId,
} from '@cleveragents/protocol';

/** Grows by a minor step with every addition; a removal needs a deprecation first. */
const CARD_VERSION = '1.0';

/** The methods whose presence makes a skill. */
const METHOD_PREFIX_OF_SKILL: Readonly<Record<SkillId, string>> = {
  'plan-lifecycle': '_cleveragents/plan/',
  'registry-crud': '_cleveragents/registry/',
  'context-mgmt': '_cleveragents/context/',
  'entity-sync': '_cleveragents/sync/',
  'namespace-mgmt': '_cleveragents/namespace/',
};

export interface CardDocument {
  readonly text: string;
  readonly etag: string;
}

/** The agent cards of this server: they promise what the registry holds and nothing else. */
@Injectable()
export class AgentCards {
  private documents: { readonly superset: CardDocument; readonly pure: CardDocument } | undefined;

  constructor(
    private readonly registry: JsonRpcRegistry,
    private readonly adapter: HttpAdapterHost,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  /** `pure`: the form of A2A 1.0 alone, else the one that every generation can read. */
  document(form: 'pure' | 'superset'): CardDocument {
    this.documents ??= this.build();
    return this.documents[form];
  }

  /** What callers reach: never taken from a request, which could be made to name any host. */
  baseUrl(): string {
    return this.config.http.publicBaseUrl ?? this.listenUrl();
  }

  /** Where this process listens. */
  listenUrl(): string {
    const { host, tls } = this.config.http;
    const { port } = this.adapter.httpAdapter.getHttpServer().address() as AddressInfo;
    const name = isUnspecifiedHost(host) ? 'localhost' : host;
    return `${tls === null ? 'http' : 'https'}://${name.includes(':') ? `[${name}]` : name}:${port}`;
  }

  private build(): { superset: CardDocument; pure: CardDocument } {
    const facts = this.facts();
    return { superset: documentOf(buildSupersetCard(facts)), pure: documentOf(buildCard10(facts)) };
  }

  private facts(): CardFacts {
    const names = this.registry.list().map(({ name }) => name);
    const prefixes = Object.entries(METHOD_PREFIX_OF_SKILL) as [SkillId, string][];
    return {
      baseUrl: this.baseUrl(),
      version: CARD_VERSION,
      streaming: this.offers('SendStreamingMessage'),
      pushNotifications: this.offers('CreateTaskPushNotificationConfig'),
      extendedCard: this.offers('GetExtendedAgentCard'),
      skills: prefixes.filter(([, prefix]) => names.some((name) => name.startsWith(prefix))).map(([id]) => id),
    };
  }

  private offers(operation: Operation): boolean {
    return this.registry.find(operation) !== undefined;
  }
}

function documentOf(card: object): CardDocument {
  return { text: JSON.stringify(card), etag: cardETag(card) };
}
