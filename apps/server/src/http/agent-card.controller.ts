import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Inject, Req, Res, UseFilters } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CallerAuthenticator } from '@cleveragents/auth';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { AuthenticationError } from '@cleveragents/kernel';
import { AgentCards, type CardDocument } from './agent-cards.js';
import { JsonRpcExceptionFilter } from './json-rpc-exception.filter.js';
import { headerOf, queryOf } from './request-facts.js';

const MAX_AGE_SECONDS = 300;
const VERSION_1_0 = /^1\.0(\.\d+)?$/;

/** Discovery: who this agent is and how it is called. */
@ApiTags('agent card')
@Controller()
@UseFilters(JsonRpcExceptionFilter)
export class AgentCardController {
  /** The content is fixed while the process lives. */
  private readonly lastModified = new Date().toUTCString();

  constructor(
    private readonly cards: AgentCards,
    private readonly authenticator: CallerAuthenticator,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  @ApiOperation({ summary: 'The agent card for clients of every generation; with A2A-Version: 1.0 the pure 1.0 card' })
  @ApiResponse({ status: 200, description: 'The card' })
  @ApiResponse({ status: 304, description: 'If-None-Match named the current ETag' })
  @Get(['.well-known/agent-card.json', '.well-known/agent.json'])
  card(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const stated = headerOf(request, 'a2a-version')?.trim() || queryOf(request, 'A2A-Version')?.trim() || '';
    return this.answer(VERSION_1_0.test(stated) ? 'pure' : 'superset', request, response);
  }

  @ApiOperation({ summary: 'The pure A2A 1.0 card at an address of its own' })
  @ApiResponse({ status: 200, description: 'The card' })
  @Get('v1/.well-known/agent-card.json')
  pinned(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    return this.answer('pure', request, response);
  }

  private async answer(form: 'pure' | 'superset', request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.config.a2a.cardNeedsToken) {
      const identity = await this.authenticator.authenticate(request.headers);
      if (identity instanceof AuthenticationError) throw identity;
    }
    const document = this.cards.document(form);
    this.setCacheHeaders(document, response);
    if (isKnown(document, headerOf(request, 'if-none-match'))) {
      response.writeHead(304).end();
      return;
    }
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(document.text),
    });
    response.end(document.text);
  }

  private setCacheHeaders(document: CardDocument, response: ServerResponse): void {
    const { cardNeedsToken } = this.config.a2a;
    response.setHeader('ETag', document.etag);
    response.setHeader('Last-Modified', this.lastModified);
    response.setHeader('Cache-Control', `${cardNeedsToken ? 'private, ' : ''}max-age=${MAX_AGE_SECONDS}`);
    response.appendHeader('Vary', cardNeedsToken ? 'A2A-Version, Authorization' : 'A2A-Version');
  }
}

/** RFC 9110 §13.1.2: weak comparison. */
function isKnown(document: CardDocument, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = new Set(ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, '')));
  return tags.has(document.etag) || tags.has('*');
}
