import { Module } from '@nestjs/common';
import { JsonRpcModule } from '@cleveragents/jsonrpc';
import { DiscoverRpc } from './discover.rpc.js';
import { ServerDescription } from './server-description.js';

@Module({
  imports: [JsonRpcModule],
  providers: [DiscoverRpc, ServerDescription],
  exports: [ServerDescription],
})
export class OpenRpcModule {}
