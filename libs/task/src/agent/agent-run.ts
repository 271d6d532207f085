import { randomUUID } from 'node:crypto';
import type { JsonObject, Origin } from '@cleveragents/kernel';
import { isTerminal, type Artifact, type Message, type Part, type TaskState } from '@cleveragents/protocol';
import { clientRequestPart, requireClientCapability, type ClientMethod } from '../domain/client-request.js';
import { clientResponsesIn, type ClientResponse } from '../domain/client-response.js';
import type { LiveTask, TaskHolder, TaskLostError } from '../log/live-task.js';
import type { TaskChange } from '../task-journal.js';

/** One run of an agent: what the agent sees of its task, and the only way in which it changes it. */
export class AgentRun implements TaskHolder {
  private controller: AbortController | undefined;

  constructor(
    readonly task: LiveTask,
    readonly message: Message,
    /** The call that the run answers. */
    readonly origin: Origin,
  ) {
    task.holder = this;
  }

  get taskId(): string {
    return this.task.id;
  }

  get contextId(): string {
    return this.task.fold.identity.contextId;
  }

  /** Text of the first part of the message, or empty. */
  get text(): string {
    return this.message.parts[0]?.text ?? '';
  }

  /** Aborts when the task is canceled or lost, or the server gives the run up. Most runs never ask for it. */
  get signal(): AbortSignal {
    return this.abortController().signal;
  }

  /** False when nothing more can be written: the task is over, for the first terminal write wins, or lost. */
  status(state: TaskState, parts?: readonly Part[]): boolean {
    return this.apply({ kind: 'status', state, ...(parts === undefined ? {} : { message: this.reply(parts) }) });
  }

  artifact(artifact: Artifact, { append = false, lastChunk = false } = {}): boolean {
    return this.apply({ kind: 'artifact', artifact, append, lastChunk });
  }

  /**
   * Pauses the task with a request to the client's machine (`clientResponses` of a later run has the answer). May be
   * asked several times. Throws ConfigurationError if the client has not announced that it can do that.
   */
  askClient(method: ClientMethod, params: JsonObject): boolean {
    requireClientCapability(this.message, method);
    const part = clientRequestPart(method, { sessionId: this.contextId, ...params }, new Date());
    return this.status('TASK_STATE_INPUT_REQUIRED', [part]);
  }

  /** Answers of the client's machine in the message of this run, checked against what was asked. */
  get clientResponses(): readonly ClientResponse[] {
    return clientResponsesIn(this.message);
  }

  abort(reason: Error): void {
    this.abortController().abort(reason);
  }

  taskLost(error: TaskLostError): void {
    this.abort(error);
  }

  private apply(change: TaskChange): boolean {
    if (this.task.isLost || isTerminal(this.task.fold.state)) return false;
    this.task.apply([change], this.origin);
    return true;
  }

  private reply(parts: readonly Part[]): Message {
    return { messageId: randomUUID(), role: 'ROLE_AGENT', parts: [...parts] };
  }

  private abortController(): AbortController {
    return (this.controller ??= new AbortController());
  }
}
