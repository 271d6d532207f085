import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Authorizer } from '@cleveragents/auth';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import type { CallContext } from '@cleveragents/jsonrpc';
import { BusinessRuleViolation, ResourceNotFoundError, ValidationError } from '@cleveragents/kernel';
import { messageProblems, withMessageId, type Message } from '@cleveragents/protocol';
import { ClientAnswers } from './client-answers.js';
import { hasClientResponse } from './domain/client-response.js';
import { requestKey, type RequestKey } from './domain/idempotency.js';
import type { StoredTask } from './domain/stored-task.js';
import { RECENT_MESSAGES } from './domain/task-fold.js';
import { assertOpen } from './domain/task-state.js';
import type { SendMessageParams } from './dto/send-message.params.js';
import { Executors } from './executors.js';
import { explicitKey } from './idempotency-key.js';
import { LiveTasks } from './log/live-tasks.js';
import { BARE } from './log/task-reader.js';
import { NamedTasks } from './named-tasks.js';
import { InlinePush } from './push/inline-push.js';
import { RequestLedger } from './request-ledger.js';
import { requestedNamespace } from './requested-namespace.js';
import type { Accepted, IncomingMessage } from './task-executor.js';
import { TASK_BUSY } from './task-errors.js';
import { TaskVisibility } from './task-visibility.js';

/** Enough to see whether a message came before. */
const WITH_MESSAGES = { history: RECENT_MESSAGES, artifacts: false };

/** Which executor gets a message, if any does. Everything is checked before anything is stored. */
@Injectable()
export class MessageIntake {
  constructor(
    private readonly executors: Executors,
    private readonly ledger: RequestLedger,
    private readonly named: NamedTasks,
    private readonly visibility: TaskVisibility,
    private readonly live: LiveTasks,
    private readonly inlinePush: InlinePush,
    private readonly clientAnswers: ClientAnswers,
    private readonly authorizer: Authorizer,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  /** A refused message leaves no trace. */
  async accept(params: SendMessageParams, call: CallContext): Promise<Accepted> {
    const message = identified(params, call);
    const problems = messageProblems(message, 'message');
    if (problems.length > 0) throw new ValidationError(problems);
    // Refused wherever it stands, also where it says nothing because the message continues a task.
    keyOf(params, call);
    const namespace = this.namespaceOf(params, call);
    const incoming = { message, namespace, metadata: params.metadata ?? {}, requestKey: null };
    const webhook = params.configuration?.taskPushNotificationConfig;
    if (webhook === undefined) return this.route(incoming, params, call);
    const { messageId, taskId } = message;
    const accompanied = { messageId, taskId, clientTaskId: params.clientTaskId, namespace };
    return this.inlinePush.accompany(webhook, accompanied, call, () => this.route(incoming, params, call));
  }

  private route(incoming: IncomingMessage, params: SendMessageParams, call: CallContext): Promise<Accepted> {
    const { taskId } = incoming.message;
    if (params.clientTaskId !== undefined) return this.turn(params.clientTaskId, incoming, call);
    return taskId === undefined ? this.begin(incoming, params, call) : this.proceed(taskId, incoming, call);
  }

  private async turn(name: string, incoming: IncomingMessage, call: CallContext): Promise<Accepted> {
    const turn = await this.named.turn(name, incoming.message, call.principal);
    if (turn.kind === 'retry') return { taskId: turn.taskId };
    if (turn.kind === 'next') return this.proceed(turn.taskId, incoming, call);
    return this.executors.forNewTasks().begin({ ...incoming, requestKey: turn.key }, call);
  }

  private async begin(incoming: IncomingMessage, params: SendMessageParams, call: CallContext): Promise<Accepted> {
    const executor = this.executors.forNewTasks();
    const wanted = this.requestKey(params, incoming.message.messageId, call);
    if (wanted === null) return executor.begin(incoming, call);
    const { key, isTwin } = await this.ledger.resolve(wanted);
    if (isTwin) return { taskId: key.taskId };
    return executor.begin({ ...incoming, requestKey: key }, call);
  }

  private async proceed(taskId: string, incoming: IncomingMessage, call: CallContext): Promise<Accepted> {
    const { message } = incoming;
    const { dedupeMessages } = this.config.a2a;
    const isResponse = hasClientResponse(message);
    const options = dedupeMessages || isResponse ? WITH_MESSAGES : BARE;
    const task = await this.visibility.read(taskId, call.principal, options);
    const { contextId } = message;
    if (contextId !== undefined && contextId !== task.contextId) {
      throw ValidationError.of('message.contextId', 'does not belong to the task');
    }
    this.visibility.requireRole(task, call.principal, 'operator');
    if (dedupeMessages && this.isRepeated(message, task)) return { taskId };
    assertOpen(task.state);
    if (isResponse) this.clientAnswers.check(message, task, call);
    try {
      return await this.handOver(task, incoming, call);
    } catch (error) {
      // The task may be busy with another copy of the same message, which this or another server has taken meanwhile.
      if (!dedupeMessages || !isBusy(error)) throw error;
      const busy = await this.visibility.read(taskId, call.principal, WITH_MESSAGES);
      if (!this.isRepeated(message, busy)) throw error;
      return { taskId };
    }
  }

  private async handOver(task: StoredTask, incoming: IncomingMessage, call: CallContext): Promise<Accepted> {
    const { message } = incoming;
    const { start } = (await this.executors.named(task.executor).proceed(task, incoming, call)) ?? {};
    try {
      if (hasClientResponse(message)) await this.clientAnswers.record(message, task, call);
    } catch (error) {
      // Accepted is accepted: its work is done although its sender hears of a failure.
      start?.();
      throw error;
    }
    return { taskId: task.id, ...(start === undefined ? {} : { start }) };
  }

  /** A repeated turn gets the task that it continued: what it asked for is under way, or done. */
  private isRepeated(message: Message, task: StoredTask): boolean {
    if (task.hasMessage(message)) return true;
    const live = this.live.find(task.id);
    // What a lost task holds may never have been stored.
    return live?.isLost === false && live.fold.hasMessage(message);
  }

  private requestKey(params: SendMessageParams, messageId: string, call: CallContext): RequestKey | null {
    const key = keyOf(params, call);
    if (key === null && !this.config.a2a.dedupeMessages) return null;
    return requestKey(call.principal.id, key, messageId, params);
  }

  private namespaceOf(params: SendMessageParams, { principal }: CallContext): string {
    const namespace = requestedNamespace(params, principal);
    if (namespace === null || namespace === principal.personalNamespace) return principal.personalNamespace;
    const notFound = (): Error => ResourceNotFoundError.of('Namespace', { namespace });
    this.authorizer.requireRole(principal, namespace, 'operator', notFound);
    return namespace;
  }
}

/** Messages of A2A 0.1 have no id; every later one must. */
function identified({ message, clientTaskId }: SendMessageParams, { dialect }: CallContext): Message {
  return dialect === '0.1' ? withMessageId(message, clientTaskId, randomUUID) : message;
}

function keyOf({ metadata }: SendMessageParams, { idempotencyKey }: CallContext): string | null {
  return explicitKey(idempotencyKey, metadata?.idempotencyKey);
}

function isBusy(error: unknown): boolean {
  return error instanceof BusinessRuleViolation && error.reason === TASK_BUSY;
}
