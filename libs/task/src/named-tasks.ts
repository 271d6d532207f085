import { Injectable } from '@nestjs/common';
import { canonicalJson, type Principal } from '@cleveragents/kernel';
import type { Message } from '@cleveragents/protocol';
import { clientTaskKey, type RequestKey } from './domain/idempotency.js';
import type { StoredTask } from './domain/stored-task.js';
import { RECENT_MESSAGES } from './domain/task-fold.js';
import { LiveTasks } from './log/live-tasks.js';
import { TaskVisibility } from './task-visibility.js';

/** What a message to a task that its client named means. */
export type NamedTurn =
  | { readonly kind: 'first'; readonly key: RequestKey }
  | { readonly kind: 'retry'; readonly taskId: string }
  | { readonly kind: 'next'; readonly taskId: string };

/**
 * Tasks of A2A 0.1, whose clients choose the id (decisions P10): an unknown one makes the task, the same payload is a
 * retry, another one the next turn. Older messages than the newest that a fold remembers are no retries any more.
 */
@Injectable()
export class NamedTasks {
  constructor(
    private readonly visibility: TaskVisibility,
    private readonly live: LiveTasks,
  ) {}

  async turn(name: string, message: Message, principal: Principal): Promise<NamedTurn> {
    const key = clientTaskKey(principal.id, name);
    for (;;) {
      const task = await this.visibility.find(name, principal, { history: RECENT_MESSAGES, artifacts: false });
      if (task !== null) return { kind: isKnown(message, task) ? 'retry' : 'next', taskId: task.id };
      const started = this.live.find(key.taskId);
      if (started === undefined) return { kind: 'first', key };
      // Not stored yet, or stored by somebody else by now: either way it can be read then.
      await started.settled().catch(() => undefined);
    }
  }
}

function isKnown(message: Message, task: StoredTask): boolean {
  const content = contentOf(message);
  return task.history().some((earlier) => contentOf(earlier) === content);
}

/** The task and the context are the same for every message, said or not. */
function contentOf({ taskId: _taskId, contextId: _contextId, ...content }: Message): string {
  return canonicalJson(content);
}
