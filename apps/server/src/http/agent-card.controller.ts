import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Inject, Req, Res, UseFilters } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CallerAuthenticator } from '@cleveragents/auth';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { AuthenticationError } from '@cleveragents/kernel';
import { AgentCards } from '../card/agent-cards.js';
import type { CardForm } from '../card/card-document.js';
import { statedForm, writeCard } from './card-answer.js';
import { JsonRpcExceptionFilter } from './json-rpc-exception.filter.js';

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
    return this.answer(statedForm(request), request, response);
  }

  @ApiOperation({ summary: 'The pure A2A 1.0 card at an address of its own' })
  @ApiResponse({ status: 200, description: 'The card' })
  @Get('v1/.well-known/agent-card.json')
  pinned(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    return this.answer('pure', request, response);
  }

  private async answer(form: CardForm, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { cardNeedsToken } = this.config.a2a;
    if (cardNeedsToken) {
      const identity = await this.authenticator.authenticate(request.headers);
      if (identity instanceof AuthenticationError) throw identity;
    }
    const caching = { isPrivate: cardNeedsToken, lastModified: this.lastModified };
    writeCard(await this.cards.document(form), caching, request, response);
  }
}
