import { JsonRpcHandler, JsonRpcMethod, type CallContext } from '@cleveragents/jsonrpc';
import type { AgentCard } from '@cleveragents/protocol';
import { AgentCardView } from './dto/agent-card.view.js';
import { ExtendedCardParams } from './dto/extended-card.params.js';
import { ExtendedCards } from './extended-cards.js';

@JsonRpcHandler({ tag: 'agent card' })
export class ExtendedCardRpc {
  constructor(private readonly cards: ExtendedCards) {}

  @JsonRpcMethod('GetExtendedAgentCard', {
    operation: 'GetExtendedAgentCard',
    summary: 'The agent card with what the caller may use: actions, methods, limits, namespaces',
    params: ExtendedCardParams,
    result: AgentCardView,
    access: 'authenticated',
  })
  get(_params: ExtendedCardParams, { principal }: CallContext): Promise<AgentCard> {
    return this.cards.cardFor(principal);
  }
}
