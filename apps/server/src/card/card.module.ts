import { Module } from '@nestjs/common';
import { JsonRpcModule } from '@cleveragents/jsonrpc';
import { NamespaceModule } from '@cleveragents/namespace';
import { RegistryModule } from '@cleveragents/registry';
import { AgentCards } from './agent-cards.js';
import { cardKeyProvider, CardSigner } from './card-signer.js';
import { ExtendedCardRpc } from './extended-card.rpc.js';
import { ExtendedCards } from './extended-cards.js';

/** Who this agent is, for everybody and for one caller. */
@Module({
  imports: [JsonRpcModule, NamespaceModule, RegistryModule],
  providers: [cardKeyProvider, AgentCards, CardSigner, ExtendedCards, ExtendedCardRpc],
  exports: [AgentCards, ExtendedCards],
})
export class CardModule {}
