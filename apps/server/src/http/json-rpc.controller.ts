import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CallerAuthenticator } from '@cleveragents/auth';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { AuthenticationError } from '@cleveragents/kernel';
import { BodyTooLargeError, Dispatcher, ServerStoppingError, type Caller } from '@cleveragents/jsonrpc';
import { writeAnswer, writeNothing } from './answer-writer.js';
import { HttpCaller } from './http-caller.js';
import { readJsonBody } from './json-body.js';
import { JsonRpcExceptionFilter } from './json-rpc-exception.filter.js';
import { OpenStreams } from './open-streams.js';
import { ServerState } from './server-state.js';
import { writeStream } from './sse-writer.js';
import { streamingRequest } from './streaming-request.js';

/** Callers without credentials have nothing long to say. */
const UNAUTHENTICATED_BODY_LIMIT = 64 * 1024;

/** The one endpoint of the protocol, and its stream for readers who know no JSON-RPC. */
@ApiTags('A2A')
@Controller()
@UseFilters(JsonRpcExceptionFilter)
export class JsonRpcController {
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly authenticator: CallerAuthenticator,
    private readonly openStreams: OpenStreams,
    private readonly state: ServerState,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  @ApiBearerAuth()
  @ApiOperation({ summary: 'JSON-RPC 2.0: every A2A operation and every _cleveragents/* method' })
  @ApiBody({ schema: { example: { jsonrpc: '2.0', id: 1, method: '_cleveragents/health/check', params: {} } } })
  @ApiResponse({ status: 200, description: 'A JSON-RPC answer; server-sent events for the streaming methods' })
  @ApiResponse({ status: 204, description: 'A notification was carried out' })
  @ApiResponse({ status: 401, description: 'No valid credentials; the body is a JSON-RPC error' })
  @Post('a2a')
  async handle(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const { body, caller } = await this.receive(request, response);
    const outcome = await this.dispatcher.dispatch(body, caller);
    switch (outcome.kind) {
      case 'single':
        return writeAnswer(request, response, outcome);
      case 'stream':
        return writeStream(outcome, request, response, this.openStreams);
      case 'none':
        return writeNothing(request, response);
    }
  }

  @ApiBearerAuth()
  @ApiOperation({ summary: 'A stream whose events stand alone, without a JSON-RPC envelope' })
  @ApiBody({ schema: { example: { message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] } } } })
  @ApiResponse({ status: 200, description: 'Server-sent events; a JSON-RPC error where the stream cannot begin' })
  @ApiResponse({ status: 401, description: 'No valid credentials; the body is a JSON-RPC error' })
  @Post('a2a/stream')
  async stream(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const { body, caller } = await this.receive(request, response);
    const outcome = this.dispatcher.bareStream(streamingRequest(body, caller), caller);
    return writeStream(outcome, request, response, this.openStreams);
  }

  private async receive(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<{ readonly body: unknown; readonly caller: Caller }> {
    if (this.state.isStopping) throw new ServerStoppingError();
    const identity = await this.authenticator.authenticate(request.headers);
    const body = await this.readBody(request, identity);
    return { body, caller: new HttpCaller(request, response, identity) };
  }

  private async readBody(request: IncomingMessage, identity: Caller['identity']): Promise<unknown> {
    const { bodyLimit } = this.config.http;
    if (!(identity instanceof AuthenticationError)) return readJsonBody(request, bodyLimit);
    try {
      return await readJsonBody(request, Math.min(bodyLimit, UNAUTHENTICATED_BODY_LIMIT));
    } catch (error) {
      throw error instanceof BodyTooLargeError ? identity : error;
    }
  }
}
