import type { CallContext } from '@cleveragents/jsonrpc';
import { BusinessRuleViolation, newUlid, type Origin } from '@cleveragents/kernel';
import type { AppLogger } from '@cleveragents/observability';
import { isTerminal } from '@cleveragents/protocol';
import { randomUUID } from 'node:crypto';
import { TaskFold } from '../domain/task-fold.js';
import type { LiveTask } from '../log/live-task.js';
import type { LiveTasks } from '../log/live-tasks.js';
import type { Accepted, ContinuedTask, IncomingMessage, TaskExecutor } from '../task-executor.js';
import { notCancelable } from '../task-errors.js';
import type { Agent } from './agent.js';
import { AgentRun } from './agent-run.js';

interface Run {
  readonly task: LiveTask;
  readonly controller: AbortController;
}

/** Runs one in-process agent: a run per message, at most one at a time per task. */
export class AgentExecutor implements TaskExecutor {
  private readonly runs = new Map<string, Run>();

  constructor(
    private readonly agent: Agent,
    private readonly live: LiveTasks,
    private readonly logger: AppLogger,
  ) {}

  get name(): string {
    return this.agent.name;
  }

  async begin(incoming: IncomingMessage, call: CallContext): Promise<Accepted> {
    const answer = this.agent.answer(incoming);
    if (answer !== null) return { message: answer };
    const { message, namespace, requestKey } = incoming;
    const id = requestKey?.taskId ?? randomUUID();
    const at = new Date().toISOString();
    const fold = TaskFold.create(
      {
        id,
        contextId: message.contextId ?? randomUUID(),
        namespace,
        owner: call.principal.id,
        executor: this.name,
        dialect: call.dialect,
        metadata: null,
        requestHash: requestKey?.requestHash ?? null,
        createdAt: at,
      },
      [message],
      at,
    );
    const task = this.live.adopt(fold, call.origin);
    this.runs.set(id, { task, controller: new AbortController() });
    return { taskId: id, start: () => void this.run(task, incoming, call.origin) };
  }

  async proceed(task: ContinuedTask, incoming: IncomingMessage, call: CallContext): Promise<{ start(): void }> {
    const live = await this.live.open(task.id, call.origin);
    if (this.runs.has(task.id) || live.fold.isActive) {
      throw new BusinessRuleViolation('The task is working on an earlier message', {}, { reason: 'TASK_BUSY' });
    }
    this.runs.set(task.id, { task: live, controller: new AbortController() });
    try {
      live.apply(
        [
          { kind: 'message', message: incoming.message },
          { kind: 'status', state: 'TASK_STATE_WORKING' },
        ],
        call.origin,
      );
    } catch (error) {
      this.finish(live);
      throw error;
    }
    return { start: () => void this.run(live, incoming, call.origin) };
  }

  async cancel(task: ContinuedTask, call: CallContext): Promise<void> {
    const live = await this.live.open(task.id, call.origin);
    if (isTerminal(live.fold.state)) throw notCancelable(live.fold.state);
    live.apply([{ kind: 'status', state: 'TASK_STATE_CANCELED', reason: 'CANCELED_BY_CLIENT' }], call.origin);
    this.runs.get(task.id)?.controller.abort(new Error('The task was canceled'));
    await live.settled();
    if (!this.runs.has(task.id)) this.live.release(live);
  }

  private async run(task: LiveTask, { message }: IncomingMessage, origin: Origin): Promise<void> {
    try {
      if (this.agent.effects === 'outside') await task.settled();
      await this.agent.run(new AgentRun(task, message, this.signalOf(task)));
      if (!task.fold.isResting) this.fail(task, 'The agent ended without a result', 'NO_RESULT', origin);
    } catch (error) {
      this.logger.write(
        'error',
        { err: error, correlation_id: origin.correlationId, task_id: task.id },
        'An agent failed',
      );
      this.fail(task, 'The agent failed', 'AGENT_FAILED', origin);
    }
    await task.rested().catch((error: unknown) => {
      this.logger.write(
        'warn',
        { err: error, correlation_id: origin.correlationId, task_id: task.id },
        'A run is lost',
      );
    });
    this.finish(task);
  }

  /** Client-safe: what went wrong is in the log under the correlation id. */
  private fail(task: LiveTask, text: string, reason: string, origin: Origin): void {
    if (isTerminal(task.fold.state) || task.isLost) return;
    const parts = [{ text: `${text} (correlation id ${origin.correlationId})` }];
    const message = { messageId: randomUUID(), role: 'ROLE_AGENT' as const, parts };
    task.apply([{ kind: 'status', state: 'TASK_STATE_FAILED', message, reason }], origin);
  }

  /** Resolves when no run is left. */
  async drained(): Promise<void> {
    while (this.runs.size > 0) await Promise.allSettled([...this.runs.values()].map(({ task }) => task.rested()));
  }

  /** Aborts the runs that are left and fails their tasks. */
  async abandon(): Promise<void> {
    for (const { task, controller } of this.runs.values()) {
      const origin = { userIdentity: 'system', tokenId: null, method: null, correlationId: newUlid() };
      this.fail(task, 'The server was shut down', 'AGENT_LOST', origin);
      controller.abort(new Error('The server shuts down'));
    }
    await this.drained();
  }

  private signalOf(task: LiveTask): AbortSignal {
    return this.runs.get(task.id)?.controller.signal ?? AbortSignal.abort();
  }

  private finish(task: LiveTask): void {
    this.runs.delete(task.id);
    this.live.release(task);
  }
}
