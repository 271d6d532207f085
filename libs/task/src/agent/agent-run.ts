import { randomUUID } from 'node:crypto';
import { isTerminal, type Artifact, type Message, type Part, type TaskState } from '@cleveragents/protocol';
import type { LiveTask } from '../log/live-task.js';
import type { TaskChange } from '../task-journal.js';

/** What an agent sees of its task, and the only way in which it changes it. */
export class AgentRun {
  constructor(
    private readonly task: LiveTask,
    readonly message: Message,
    /** Aborts when the task is canceled or the server gives the run up. */
    readonly signal: AbortSignal,
  ) {}

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

  /** False when the task is over already: the first terminal write wins and later ones are dropped. */
  status(state: TaskState, parts?: readonly Part[]): boolean {
    return this.apply({ kind: 'status', state, ...(parts === undefined ? {} : { message: this.reply(parts) }) });
  }

  artifact(artifact: Artifact, { append = false, lastChunk = false } = {}): boolean {
    return this.apply({ kind: 'artifact', artifact, append, lastChunk });
  }

  private apply(change: TaskChange): boolean {
    if (isTerminal(this.task.fold.state)) return false;
    this.task.apply([change]);
    return true;
  }

  private reply(parts: readonly Part[]): Message {
    return { messageId: randomUUID(), role: 'ROLE_AGENT', parts: [...parts] };
  }
}
