import { Injectable } from '@nestjs/common';
import { PRODUCT_VERSION, ServerAddress } from '@cleveragents/config';
import { JsonRpcRegistry, openRpcDocument, type OpenRpcDocument } from '@cleveragents/jsonrpc';

/** What this server can be asked, as an OpenRPC document. The registry is fixed once the server listens. */
@Injectable()
export class ServerDescription {
  private known: OpenRpcDocument | undefined;

  constructor(
    private readonly methods: JsonRpcRegistry,
    private readonly address: ServerAddress,
  ) {}

  document(): OpenRpcDocument {
    this.known ??= openRpcDocument(this.methods.list(), {
      title: 'CleverAgents Server',
      description: 'The operations of A2A in the form of A2A 1.0, and the platform methods of CleverAgents.',
      version: PRODUCT_VERSION,
      url: `${this.address.baseUrl()}/a2a`,
    });
    return this.known;
  }
}
