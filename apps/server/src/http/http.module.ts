import { Module } from '@nestjs/common';
import { AuthModule } from '@cleveragents/auth';
import { BlobModule } from '@cleveragents/blob';
import { HealthModule } from '@cleveragents/health';
import { JsonRpcModule } from '@cleveragents/jsonrpc';
import { CardModule } from '../card/card.module.js';
import { OpenRpcModule } from '../open-rpc/open-rpc.module.js';
import { AgentCardController } from './agent-card.controller.js';
import { BlobController } from './blob.controller.js';
import { Cors } from './cors.js';
import { ExtendedCardController } from './extended-card.controller.js';
import { FrontDoor } from './front-door.js';
import { HealthController } from './health.controller.js';
import { JsonRpcController } from './json-rpc.controller.js';
import { JwksController } from './jwks.controller.js';
import { JsonRpcExceptionFilter } from './json-rpc-exception.filter.js';
import { OpenRpcController } from './open-rpc.controller.js';
import { OpenStreams } from './open-streams.js';
import { ServerState } from './server-state.js';
import { TransportSecurity } from './transport-security.js';

/** Everything that speaks HTTP. */
@Module({
  imports: [AuthModule, BlobModule, CardModule, HealthModule, JsonRpcModule, OpenRpcModule],
  controllers: [
    JsonRpcController,
    AgentCardController,
    BlobController,
    ExtendedCardController,
    HealthController,
    JwksController,
    OpenRpcController,
  ],
  providers: [Cors, FrontDoor, JsonRpcExceptionFilter, OpenStreams, ServerState, TransportSecurity],
})
export class HttpModule {}
