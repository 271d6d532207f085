import { Inject, Injectable } from '@nestjs/common';
import { Authorizer } from '@cleveragents/auth';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { RawJson, type CallContext, type StreamEvent } from '@cleveragents/jsonrpc';
import { ResourceNotFoundError, ValidationError } from '@cleveragents/kernel';
import { isTerminal, messageProblems, type Message } from '@cleveragents/protocol';
import { catchError, defer, from, of, switchMap, type Observable } from 'rxjs';
import { requestKey, type RequestKey } from './domain/idempotency.js';
import { RECENT_MESSAGES } from './domain/task-fold.js';
import type { SendConfiguration, SendMessageParams } from './dto/send-message.params.js';
import { Executors } from './executors.js';
import { historyLimit } from './history-length.js';
import type { LiveTask } from './log/live-task.js';
import { LiveTasks } from './log/live-tasks.js';
import { TaskReader } from './log/task-reader.js';
import { RequestLedger } from './request-ledger.js';
import type { Accepted, IncomingMessage } from './task-executor.js';
import { pushNotSupported, taskIsOver, taskNotFound } from './task-errors.js';
import { TaskStreams, type StreamStart } from './task-streams.js';
import { TaskVisibility } from './task-visibility.js';
import { TaskWatcher } from './task-watcher.js';

/** SendMessage and SendStreamingMessage: who gets a message, and how its outcome reaches the caller. */
@Injectable()
export class MessageService {
  constructor(
    private readonly executors: Executors,
    private readonly ledger: RequestLedger,
    private readonly live: LiveTasks,
    private readonly reader: TaskReader,
    private readonly streams: TaskStreams,
    private readonly visibility: TaskVisibility,
    private readonly watcher: TaskWatcher,
    private readonly authorizer: Authorizer,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  /** Answers when the task rests, at the blocking limit, or at once if asked to; the task is durable in every case. */
  async send(params: SendMessageParams, call: CallContext): Promise<RawJson> {
    try {
      const accepted = await this.accept(params, call);
      if ('message' in accepted) return new RawJson(JSON.stringify(accepted));
      const live = this.live.find(accepted.taskId);
      accepted.start?.();
      const task = await this.outcome(accepted.taskId, live, params, call);
      this.ledger.remember(accepted.taskId);
      return new RawJson(`{"task":${task}}`);
    } catch (error) {
      if (this.ledger.recognises(error)) return this.send(params, call);
      throw error;
    }
  }

  /** Ends when the task does or waits for input. A direct message is the only element of its stream. */
  stream(params: SendMessageParams, call: CallContext): Observable<StreamEvent> {
    const history = this.historyOf(params.configuration);
    return defer(() => from(this.accept(params, call))).pipe(
      switchMap((accepted) =>
        'message' in accepted
          ? of(directMessage(accepted))
          : this.streams.follow(accepted.taskId, true, () => this.start(accepted, history)),
      ),
      catchError((error: unknown) => {
        if (this.ledger.recognises(error)) return this.stream(params, call);
        throw error;
      }),
    );
  }

  /** Validates everything before anything is stored: a refused message leaves no trace. */
  private async accept(params: SendMessageParams, call: CallContext): Promise<Accepted> {
    const problems = messageProblems(params.message, 'message');
    if (problems.length > 0) throw new ValidationError(problems);
    if (params.configuration?.taskPushNotificationConfig !== undefined) throw pushNotSupported();
    const namespace = this.namespaceOf(params, call);
    const incoming = { message: params.message, namespace, metadata: params.metadata ?? {}, requestKey: null };
    const { taskId } = params.message;
    return taskId === undefined ? this.begin(incoming, params, call) : this.proceed(taskId, incoming, call);
  }

  private async begin(incoming: IncomingMessage, params: SendMessageParams, call: CallContext): Promise<Accepted> {
    const executor = this.executors.forNewTasks();
    const wanted = this.requestKey(params, call);
    if (wanted === null) return executor.begin(incoming, call);
    const { key, isTwin } = await this.ledger.resolve(wanted);
    if (isTwin) return { taskId: key.taskId };
    return executor.begin({ ...incoming, requestKey: key }, call);
  }

  private async proceed(taskId: string, incoming: IncomingMessage, call: CallContext): Promise<Accepted> {
    const task = await this.visibility.read(taskId, call.principal);
    const { contextId } = incoming.message;
    if (contextId !== undefined && contextId !== task.contextId) {
      throw ValidationError.of('message.contextId', 'does not belong to the task');
    }
    if (isTerminal(task.state)) throw taskIsOver(task.state);
    this.visibility.requireRole(task, call.principal, 'operator');
    const { start } = (await this.executors.named(task.executor).proceed(task, incoming, call)) ?? {};
    return { taskId, ...(start === undefined ? {} : { start }) };
  }

  private requestKey({ message, ...rest }: SendMessageParams, call: CallContext): RequestKey | null {
    const key = call.idempotencyKey ?? textOrNull(rest.metadata?.idempotencyKey);
    if (key === null && !this.config.a2a.dedupeMessages) return null;
    return requestKey(call.principal.id, key, message.messageId, { message, ...rest });
  }

  private namespaceOf({ tenant, metadata }: SendMessageParams, { principal }: CallContext): string {
    const named = textOrNull(tenant) ?? textOrNull(metadata?.namespace);
    if (named === null || named === principal.personalNamespace) return principal.personalNamespace;
    const notFound = (): Error => ResourceNotFoundError.of('Namespace', { namespace: named });
    this.authorizer.requireRole(principal, named, 'operator', notFound);
    return named;
  }

  private historyOf(configuration: SendConfiguration | undefined): number {
    return historyLimit(configuration?.historyLength, this.config.a2a.historyDefault);
  }

  /** The task as it was accepted, given out once that is durable; then the work begins. */
  private async start(accepted: { taskId: string; start?: () => void }, history: number): Promise<StreamStart> {
    const live = this.live.find(accepted.taskId);
    if (live === undefined || accepted.start === undefined) {
      accepted.start?.();
      await live?.settled();
      const task = await this.reader.read(accepted.taskId, { history, artifacts: true });
      if (task === null) throw taskNotFound(accepted.taskId);
      return this.streams.current(task, true);
    }
    const first = { taskText: live.fold.taskText(history), seq: live.fold.lastSeq, replay: [], isOver: false };
    const settled = live.settled();
    accepted.start();
    await settled;
    this.ledger.remember(accepted.taskId);
    return first;
  }

  private async outcome(
    taskId: string,
    live: LiveTask | undefined,
    { configuration }: SendMessageParams,
    { signal, dialect }: CallContext,
  ): Promise<string> {
    const history = this.historyOf(configuration);
    const limitMs =
      dialect === '0.1' ? Math.min(this.config.a2a.blockingLimitMs, 25_000) : this.config.a2a.blockingLimitMs;
    if (configuration?.returnImmediately === true) {
      await live?.settled();
    } else if (live === undefined) {
      await this.watcher.untilRest(taskId, limitMs, signal);
    } else if (await live.restedWithin(limitMs)) {
      const isInMemory = history <= RECENT_MESSAGES || live.fold.messageCount <= RECENT_MESSAGES;
      if (isInMemory && live.isCommitted) return live.fold.taskText(history);
    }
    const task = await this.reader.read(taskId, { history, artifacts: true });
    if (task === null) throw taskNotFound(taskId);
    return task.text();
  }
}

function directMessage(answer: { message: Message }): StreamEvent {
  return { cursor: null, text: JSON.stringify(answer), isLast: true, value: () => answer };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
