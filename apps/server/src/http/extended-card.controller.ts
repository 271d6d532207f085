import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CallerAuthenticator } from '@cleveragents/auth';
import { AuthenticationError } from '@cleveragents/kernel';
import { documentOf, type CardForm } from '../card/card-document.js';
import { ExtendedCards } from '../card/extended-cards.js';
import { statedForm, writeCard } from './card-answer.js';
import { JsonRpcExceptionFilter } from './json-rpc-exception.filter.js';

/** The extended card where the generations of A2A look for it by GET; by method it is GetExtendedAgentCard. */
@ApiTags('agent card')
@ApiBearerAuth()
@Controller()
@UseFilters(JsonRpcExceptionFilter)
export class ExtendedCardController {
  constructor(
    private readonly cards: ExtendedCards,
    private readonly authenticator: CallerAuthenticator,
  ) {}

  @ApiOperation({ summary: 'The agent card with what the caller may use, in the form of A2A 1.0' })
  @ApiResponse({ status: 200, description: 'The card of this caller' })
  @ApiResponse({ status: 401, description: 'No valid credentials' })
  @Get('extendedAgentCard')
  latest(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    return this.answer('pure', request, response);
  }

  @ApiOperation({ summary: 'The same where A2A 0.3 and 0.2 expect it' })
  @ApiResponse({ status: 200, description: 'The card of this caller' })
  @ApiResponse({ status: 401, description: 'No valid credentials' })
  @Get(['v1/card', 'agent/authenticatedExtendedCard'])
  earlier(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    return this.answer(statedForm(request), request, response);
  }

  private async answer(form: CardForm, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const identity = await this.authenticator.authenticate(request.headers);
    if (identity instanceof AuthenticationError) throw identity;
    const card = await this.cards.cardFor(identity);
    writeCard(documentOf(card, form), { isPrivate: true, lastModified: null }, request, response);
  }
}
