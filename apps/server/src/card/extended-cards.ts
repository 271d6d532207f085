import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { hasAccess, JsonRpcRegistry, MAX_BATCH, type RegisteredMethod } from '@cleveragents/jsonrpc';
import type { JsonObject, Principal } from '@cleveragents/kernel';
import { NamespaceService } from '@cleveragents/namespace';
import { EXTENSION_URI, type AgentCard } from '@cleveragents/protocol';
import { RegistryReader, type RegistryEntity } from '@cleveragents/registry';
import { actionFacts, actionSkill } from './action-skill.js';
import { AgentCards } from './agent-cards.js';

/** A card is read whole: beyond these, `registry/action/list` and `namespace/list` have pages. */
const MAX_ACTIONS = 200;
const MAX_NAMESPACES = 200;

/** Whoever may not call it cannot use an action either. */
const USE_METHOD = '_cleveragents/plan/use';

/** The card for an authenticated caller: what this caller can do here, beside what everybody may know. */
@Injectable()
export class ExtendedCards {
  constructor(
    private readonly cards: AgentCards,
    private readonly methods: JsonRpcRegistry,
    private readonly registry: RegistryReader,
    private readonly namespaces: NamespaceService,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  async cardFor(principal: Principal): Promise<AgentCard> {
    const card = this.cards.card();
    const methods = this.methods.list().filter(({ spec }) => hasAccess(principal, spec.access));
    const [actions, namespaces] = await Promise.all([
      this.actionsFor(principal, methods),
      this.namespaces.visibleTo(principal, MAX_NAMESPACES),
    ]);
    const params = {
      methods: methods.map(methodFacts),
      limits: this.limits(),
      namespaces: [...namespaces],
      ...(actions.length === 0 ? {} : { actions: actions.map(actionFacts) }),
    };
    return this.cards.signed({ ...withParams(card, params), skills: [...card.skills, ...actions.map(actionSkill)] });
  }

  private async actionsFor(
    principal: Principal,
    methods: readonly RegisteredMethod[],
  ): Promise<readonly RegistryEntity<'action'>[]> {
    if (!methods.some(({ name }) => name === USE_METHOD)) return [];
    return this.registry.availableActions(principal, MAX_ACTIONS);
  }

  private limits(): JsonObject {
    const { a2a, http } = this.config;
    return {
      body_bytes: http.bodyLimit,
      batch_calls: MAX_BATCH,
      blocking_ms: a2a.blockingLimitMs,
      working_ms: a2a.workingLimitMs,
      history_default: a2a.historyDefault,
    };
  }
}

function methodFacts({ name, kind, spec }: RegisteredMethod): JsonObject {
  return { name, summary: spec.summary, streaming: kind === 'stream' };
}

/** What A2A has no member for belongs to the extension that defines it. */
function withParams(card: AgentCard, params: JsonObject): AgentCard {
  const extensions = card.capabilities.extensions.map((extension) =>
    extension.uri === EXTENSION_URI ? { ...extension, params } : extension,
  );
  return { ...card, capabilities: { ...card.capabilities, extensions } };
}
