import { Controller, Get, Header, UseFilters } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { PublishedKeys } from '@cleveragents/auth';
import { JsonRpcExceptionFilter } from './json-rpc-exception.filter.js';

/** The public keys of what this server signs: readers verify with them and need no token. */
@ApiTags('agent card')
@Controller()
@UseFilters(JsonRpcExceptionFilter)
export class JwksController {
  constructor(private readonly keys: PublishedKeys) {}

  @ApiOperation({ summary: 'JWK set (RFC 7517) of the keys that sign agent cards and notifications' })
  @ApiResponse({ status: 200, description: 'The key set; empty where nothing is signed' })
  @Get('.well-known/jwks.json')
  @Header('Cache-Control', 'max-age=300')
  async set(): Promise<{ keys: Awaited<ReturnType<PublishedKeys['list']>> }> {
    return { keys: await this.keys.list() };
  }
}
