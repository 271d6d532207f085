import { Controller, Get, Header, UseFilters } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { OpenRpcDocument } from '@cleveragents/jsonrpc';
import { ServerDescription } from '../open-rpc/server-description.js';
import { JsonRpcExceptionFilter } from './json-rpc-exception.filter.js';

/** What can be called, for tools and people; it says nothing that needs a token. */
@ApiTags('discovery')
@Controller()
@UseFilters(JsonRpcExceptionFilter)
export class OpenRpcController {
  constructor(private readonly description: ServerDescription) {}

  @ApiOperation({ summary: 'The OpenRPC document; by method it is rpc.discover' })
  @ApiResponse({ status: 200, description: 'OpenRPC 1.4' })
  @Get('openrpc.json')
  @Header('Cache-Control', 'max-age=300')
  document(): OpenRpcDocument {
    return this.description.document();
  }
}
