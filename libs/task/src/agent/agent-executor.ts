import type { CallContext } from '@cleveragents/jsonrpc';
import { A2aNotAvailableError, newUlid, type Origin } from '@cleveragents/kernel';
import type { AppLogger, LogLevel } from '@cleveragents/observability';
import { isTerminal } from '@cleveragents/protocol';
import { randomUUID } from 'node:crypto';
import { TaskFold } from '../domain/task-fold.js';
import { isActive } from '../domain/task-state.js';
import { TaskLostError, type LiveTask } from '../log/live-task.js';
import type { LiveTasks } from '../log/live-tasks.js';
import type { Accepted, CancelReason, ContinuedTask, IncomingMessage, TaskExecutor } from '../task-executor.js';
import { taskIsBusy } from '../task-errors.js';
import type { TaskTakeover } from '../task-takeover.js';
import type { Agent } from './agent.js';
import { AgentRun } from './agent-run.js';

interface StartableTask {
  readonly taskId: string;
  readonly start: () => void;
}

/** Runs one in-process agent: a run per message, at most one at a time per task. */
export class AgentExecutor implements TaskExecutor {
  private readonly runs = new Map<string, AgentRun>();
  private isClosed = false;
  private whenIdle: (() => void) | null = null;

  constructor(
    private readonly agent: Agent,
    private readonly live: LiveTasks,
    private readonly takeover: TaskTakeover,
    private readonly logger: AppLogger,
  ) {}

  get name(): string {
    return this.agent.name;
  }

  async begin(incoming: IncomingMessage, call: CallContext): Promise<Accepted> {
    this.assertOpen();
    const answer = this.agent.answer(incoming);
    if (answer !== null) return { message: answer };
    const { message, namespace, requestKey } = incoming;
    const identity = {
      id: requestKey?.taskId ?? randomUUID(),
      contextId: message.contextId ?? randomUUID(),
      namespace,
      owner: call.principal.id,
      executor: this.name,
      dialect: call.dialect,
      metadata: null,
      requestHash: requestKey?.requestHash ?? null,
      createdAt: new Date().toISOString(),
    };
    const task = this.live.adopt(TaskFold.create(identity, [message], call.origin));
    return this.accepted(task, incoming, call.origin);
  }

  async proceed(task: ContinuedTask, incoming: IncomingMessage, call: CallContext): Promise<StartableTask> {
    this.assertOpen();
    if (this.runs.has(task.id) || isActive(task.state)) throw taskIsBusy();
    const live = await this.live.open(task.id);
    if (this.runs.has(task.id)) throw taskIsBusy();
    const { message } = incoming;
    try {
      if (live.fold.isActive) throw taskIsBusy();
      live.apply(
        [
          { kind: 'message', message },
          { kind: 'status', state: 'TASK_STATE_WORKING' },
        ],
        call.origin,
      );
    } catch (error) {
      this.live.release(live);
      throw error;
    }
    return this.accepted(live, incoming, call.origin);
  }

  async cancel(task: ContinuedTask, call: CallContext, reason: CancelReason): Promise<void> {
    const run = this.runs.get(task.id);
    try {
      if (run === undefined || isTerminal(run.task.fold.state)) await run?.task.settled();
      else return await cancelRun(run, reason, call.origin);
    } catch (error) {
      if (!(error instanceof TaskLostError)) throw error;
    }
    // Nobody runs it here, or not any more: whoever does is refused from now on.
    await this.takeover.cancel(task.id, reason, call.origin);
  }

  /** Takes nothing new, gives the runs `graceMs` to end by themselves, then fails what is left. */
  async close(graceMs: number): Promise<void> {
    this.isClosed = true;
    await this.idleWithin(graceMs);
    const left = [...this.runs.values()];
    for (const run of left) {
      const origin = { userIdentity: 'system', tokenId: null, method: null, correlationId: newUlid() };
      this.fail(run, 'The server was shut down', 'AGENT_LOST', origin);
      run.abort(new Error('The server shuts down'));
    }
    // An agent that ignores the abort is not waited for: whatever it still does comes after the end of its task.
    await Promise.allSettled(left.map(({ task }) => task.settled()));
  }

  private accepted(task: LiveTask, { message }: IncomingMessage, origin: Origin): StartableTask {
    const run = new AgentRun(task, message, origin);
    this.runs.set(task.id, run);
    return { taskId: task.id, start: () => void this.run(run) };
  }

  /** Never rejects: whatever happens becomes the end of the task, or a line in the log if the task is lost. */
  private async run(run: AgentRun): Promise<void> {
    const { task } = run;
    try {
      if (this.agent.effects === 'outside') await task.settled();
      // A task that was canceled before its run began is left alone.
      if (!isTerminal(task.fold.state)) await this.agent.run(run);
      if (!task.fold.isResting) this.fail(run, 'The agent ended without a result', 'NO_RESULT', run.origin);
    } catch (error) {
      if (task.isLost || run.signal.aborted) this.report('info', run, error, 'A run was stopped');
      else this.report('error', run, error, 'An agent failed');
      this.fail(run, 'The agent failed', 'AGENT_FAILED', run.origin);
    }
    await task.rested().catch((error: unknown) => this.reportLoss(run, error));
    this.finish(run);
  }

  /** Client-safe: what went wrong is in the log under the correlation id. */
  private fail({ task }: AgentRun, text: string, reason: string, origin: Origin): void {
    if (isTerminal(task.fold.state) || task.isLost) return;
    const parts = [{ text: `${text} (correlation id ${origin.correlationId})` }];
    const message = { messageId: randomUUID(), role: 'ROLE_AGENT' as const, parts };
    task.apply([{ kind: 'status', state: 'TASK_STATE_FAILED', message, reason }], origin);
  }

  /** A task that is stored already is no loss: a retry found its twin. */
  private reportLoss(run: AgentRun, error: unknown): void {
    const isTwin = error instanceof TaskLostError && error.refusal === 'exists';
    if (!isTwin) this.report('warn', run, error, 'A run is lost');
  }

  private report(level: LogLevel, { origin, taskId }: AgentRun, error: unknown, message: string): void {
    this.logger.write(level, { err: error, correlation_id: origin.correlationId, task_id: taskId }, message);
  }

  private finish(run: AgentRun): void {
    this.runs.delete(run.taskId);
    this.live.release(run.task);
    if (this.runs.size === 0) this.whenIdle?.();
  }

  private assertOpen(): void {
    if (this.isClosed) throw new A2aNotAvailableError('The server is shutting down');
  }

  private async idleWithin(limitMs: number): Promise<void> {
    if (this.runs.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      this.whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

async function cancelRun(run: AgentRun, reason: CancelReason, origin: Origin): Promise<void> {
  run.task.apply([{ kind: 'status', state: 'TASK_STATE_CANCELED', reason }], origin);
  run.abort(new Error('The task was canceled'));
  await run.task.settled();
}
