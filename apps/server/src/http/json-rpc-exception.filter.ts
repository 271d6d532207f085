import type { IncomingMessage, ServerResponse } from 'node:http';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { CleverAgentsError } from '@cleveragents/kernel';
import { Dispatcher, FailedCall, toErrorAnswer } from '@cleveragents/jsonrpc';
import { AppLogger } from '@cleveragents/observability';
import { writeAnswer } from './answer-writer.js';
import { callerFactsOf, correlationIdOf } from './request-facts.js';

/** Every failure on the way to an answer becomes a JSON-RPC error: never HTML, a stack or an empty body. */
@Catch()
export class JsonRpcExceptionFilter implements ExceptionFilter {
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly logger: AppLogger,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest<IncomingMessage>(), http.getResponse<ServerResponse>());
  }

  /** The same for a request that never entered Nest. */
  answer(error: unknown, request: IncomingMessage, response: ServerResponse): void {
    if (response.destroyed) return;
    if (!(error instanceof FailedCall) && !(error instanceof CleverAgentsError)) {
      this.logger.write('error', { err: error, correlation_id: correlationIdOf(request) }, 'unexpected failure');
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const failed = error instanceof FailedCall ? error : this.dispatcher.failure(error, callerFactsOf(request));
    writeAnswer(request, response, toErrorAnswer(failed));
  }
}
