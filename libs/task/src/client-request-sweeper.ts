import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RunnerLease } from '@cleveragents/engine';
import { BusinessRuleViolation } from '@cleveragents/kernel';
import { AppLogger } from '@cleveragents/observability';
import type { Message } from '@cleveragents/protocol';
import { CLIENT_REQUEST_LIFETIME_MS } from './domain/client-request.js';
import { expiredRequests, expiryPart } from './domain/client-response.js';
import type { StoredTask } from './domain/stored-task.js';
import { RECENT_MESSAGES } from './domain/task-fold.js';
import { Executors } from './executors.js';
import { TaskReader } from './log/task-reader.js';
import { systemCallFor } from './system-call.js';
import { TaskRepository } from './task.repository.js';

const BATCH = 200;

/**
 * Answers requests to clients that nobody has answered in time, with an error from which the agent can recover. The agent
 * is told as by the client itself: in a message of the task's history.
 */
@Injectable()
export class ClientRequestSweeper implements OnModuleInit {
  constructor(
    private readonly lease: RunnerLease,
    private readonly repository: TaskRepository,
    private readonly reader: TaskReader,
    private readonly executors: Executors,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    this.lease.addSweep(() => this.sweep());
  }

  async sweep(): Promise<void> {
    for (const id of await this.repository.askingSince(CLIENT_REQUEST_LIFETIME_MS, BATCH)) {
      const task = await this.reader.read(id, { history: RECENT_MESSAGES, artifacts: false });
      if (task !== null) await this.expire(task);
    }
  }

  /** One task that takes nothing must not keep the others waiting; it is tried again with the next sweep. */
  private async expire(task: StoredTask): Promise<void> {
    const parts = expiredRequests(task.history(), new Date()).map(expiryPart);
    if (parts.length === 0) return;
    const call = systemCallFor(task);
    const message: Message = { messageId: randomUUID(), role: 'ROLE_USER', parts };
    const incoming = { message, namespace: task.namespace, metadata: {}, requestKey: null };
    try {
      const { start } = (await this.executors.named(task.executor).proceed(task, incoming, call)) ?? {};
      start?.();
    } catch (error) {
      // It has moved on by itself, at this replica or at another.
      const level = error instanceof BusinessRuleViolation ? 'debug' : 'error';
      const fields = { task_id: task.id, correlation_id: call.origin.correlationId, err: error };
      this.logger.write(level, fields, 'An unanswered request to a client cannot be ended');
    }
  }
}
