import { Injectable } from '@nestjs/common';
import { AuditLog } from '@cleveragents/audit';
import type { CallContext } from '@cleveragents/jsonrpc';
import { AuthorizationError } from '@cleveragents/kernel';
import type { Message } from '@cleveragents/protocol';
import { clientRequestsIn } from './domain/client-request.js';
import { checkClientResponses, clientResponsesIn } from './domain/client-response.js';
import type { StoredTask } from './domain/stored-task.js';

/** What clients answer to the requests that a paused task carries. */
@Injectable()
export class ClientAnswers {
  constructor(private readonly audit: AuditLog) {}

  /** Only whoever started the run speaks for the machine that it asks, whatever the roles of others. */
  check(message: Message, task: StoredTask, { principal }: CallContext): void {
    if (task.owner !== principal.id) {
      const text = 'Requests to the client are answered by the owner of the task';
      throw new AuthorizationError(text, {}, { reason: 'NOT_TASK_OWNER' });
    }
    checkClientResponses(message, task.history(), new Date());
  }

  /** One record for each answer that was taken: what the client's machine did, not what came out of it. */
  async record(message: Message, task: StoredTask, { origin }: CallContext): Promise<void> {
    const asked = new Map(clientRequestsIn(task.history()).map((request) => [request.requestId, request.method]));
    for (const { requestId, error } of clientResponsesIn(message)) {
      await this.audit.record({
        event: 'tool_invoked',
        outcome: error === undefined ? 'ok' : 'failed',
        origin,
        namespace: task.namespace,
        taskId: task.id,
        contextId: task.contextId,
        details: { tool: asked.get(requestId) ?? null, request_id: requestId },
      });
    }
  }
}
