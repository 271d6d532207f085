import { JsonRpcHandler, JsonRpcMethod, NoParams, type OpenRpcDocument } from '@cleveragents/jsonrpc';
import { OpenRpcView } from './open-rpc.view.js';
import { ServerDescription } from './server-description.js';

@JsonRpcHandler({ tag: 'discovery' })
export class DiscoverRpc {
  constructor(private readonly description: ServerDescription) {}

  @JsonRpcMethod('rpc.discover', {
    summary: 'The OpenRPC document of this server',
    params: NoParams,
    result: OpenRpcView,
    access: 'authenticated',
  })
  async discover(): Promise<OpenRpcDocument> {
    return this.description.document();
  }
}
