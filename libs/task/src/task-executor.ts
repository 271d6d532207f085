import { DiscoveryService } from '@nestjs/core';
import type { CallContext } from '@cleveragents/jsonrpc';
import type { JsonObject } from '@cleveragents/kernel';
import type { Message, SendMessageResponse, Task } from '@cleveragents/protocol';
import type { RequestKey } from './domain/idempotency.js';

/** What a client asked for with SendMessage or SendStreamingMessage, in the form of A2A 1.0. */
export interface IncomingMessage {
  readonly message: Message;
  /** The namespace of a new task: 1.0 `tenant`, `metadata.namespace` or the caller's personal one. */
  readonly namespace: string;
  /** Metadata of the request (not of the task). */
  readonly metadata: JsonObject;
  /** Identity under which a retry finds the task; null when retries are not recognised. */
  readonly requestKey: RequestKey | null;
}

/** An existing task that a message continues. */
export interface ContinuedTask {
  readonly id: string;
  readonly contextId: string;
  readonly owner: string;
  readonly namespace: string;
  readonly state: Task['status']['state'];
}

/**
 * Where the answer to a message is to be read: a task in the log, or a direct message that leaves no task. `start` begins
 * the work; the caller calls it once, when whoever wants to see the first event is listening.
 */
export type Accepted =
  | { readonly taskId: string; readonly start?: () => void }
  | { readonly message: NonNullable<SendMessageResponse['message']> };

/** Who or what ends a task before its end. */
export type CancelReason = 'CANCELED_BY_CLIENT' | 'WORKING_LIMIT';

/**
 * The port through which agents plug in. The executor that accepts a message creates the task (durably, before it
 * answers) and stays responsible for it; later messages and cancels of that task come to the same executor by name.
 */
export interface TaskExecutor {
  /** Stored with the task. */
  readonly name: string;
  /** A new conversation turn without a task. */
  begin(incoming: IncomingMessage, call: CallContext): Promise<Accepted>;
  /** A message to a task that is not over; throws if it is refused, and then nothing is stored. `start` as in Accepted. */
  proceed(
    task: ContinuedTask,
    incoming: IncomingMessage,
    call: CallContext,
  ): Promise<{ readonly start?: () => void } | void>;
  /** Resolves once the task is canceled, also if it was before; throws BusinessRuleViolation if it can no longer be. */
  cancel(task: ContinuedTask, call: CallContext, reason: CancelReason): Promise<void>;
}

/** Marks a provider as a TaskExecutor. `handlesNewTasks`: messages without a task go to it (exactly one per app). */
export const Executor = DiscoveryService.createDecorator<{ handlesNewTasks: boolean }>();
