import { AuthenticationError, AuthorizationError, CleverAgentsError, isJsonObject } from '@cleveragents/kernel';
import type { AppLogger, CallLine, LogLevel } from '@cleveragents/observability';
import type { Caller } from './caller.js';
import { codeOf } from './error-codes.js';
import type { FailedCall } from './failed-call.js';
import { DependencyAwayError } from './protocol-errors.js';

/** One line per call, at a level that follows the outcome. A disabled line builds nothing. */
export class CallLog {
  constructor(private readonly logger: AppLogger) {}

  answered(startedAt: number, caller: Caller, method: string, params: unknown): void {
    if (!this.logger.isEnabled('info')) return;
    this.logger.call('info', this.line(startedAt, caller, method, taskIdOf(params), 0));
  }

  /** What nobody foresaw is written with its stack: the caller only gets the correlation id. */
  failed(startedAt: number, caller: Caller, failed: FailedCall, params?: unknown): void {
    const { method, family, correlationId } = failed.context;
    const level = levelOf(failed.cause);
    if (level === 'error') {
      this.logger.write('error', { err: failed.cause, correlation_id: correlationId, method }, 'unexpected failure');
    }
    if (!this.logger.isEnabled(level)) return;
    this.logger.call(level, this.line(startedAt, caller, method, taskIdOf(params), codeOf(failed.cause, family)));
  }

  private line(
    startedAt: number,
    caller: Caller,
    method: string | null,
    taskId: string | undefined,
    code: number,
  ): CallLine {
    return {
      correlation_id: caller.correlationId,
      method: method === null ? null : method.slice(0, 128),
      transport: caller.transport,
      principal: caller.identity instanceof AuthenticationError ? null : caller.identity.id,
      task_id: taskId,
      duration_ms: Math.round((performance.now() - startedAt) * 1000) / 1000,
      code,
    };
  }
}

function levelOf(error: unknown): LogLevel {
  if (!(error instanceof CleverAgentsError) || error instanceof DependencyAwayError) return 'error';
  return error instanceof AuthenticationError || error instanceof AuthorizationError ? 'warn' : 'info';
}

/** The task that checked params name, wherever the operation keeps it. */
function taskIdOf(params: unknown): string | undefined {
  if (!isJsonObject(params)) return undefined;
  const message = isJsonObject(params.message) ? params.message : {};
  return [params.taskId, params.task_id, params.id, message.taskId].find((id) => typeof id === 'string');
}
