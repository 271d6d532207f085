import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { RawJson, type CallContext, type StreamEvent } from '@cleveragents/jsonrpc';
import type { Message } from '@cleveragents/protocol';
import { catchError, Observable, of } from 'rxjs';
import { RECENT_MESSAGES } from './domain/task-fold.js';
import type { SendConfiguration, SendMessageParams } from './dto/send-message.params.js';
import { historyLimit } from './history-length.js';
import { TaskLostError, type LiveTask } from './log/live-task.js';
import { LiveTasks } from './log/live-tasks.js';
import { TaskReader } from './log/task-reader.js';
import { MessageIntake } from './message-intake.js';
import { RequestLedger } from './request-ledger.js';
import type { Accepted } from './task-executor.js';
import { taskIsBusy, taskNotFound } from './task-errors.js';
import { TaskStreams, type StreamStart } from './task-streams.js';
import { TaskWatcher } from './task-watcher.js';

/** Clients of the oldest generation give up after 30 s. */
const OLDEST_BLOCKING_LIMIT_MS = 25_000;

type AcceptedTask = Extract<Accepted, { taskId: string }>;

/** SendMessage and SendStreamingMessage: how the outcome of a message reaches its sender. */
@Injectable()
export class MessageService {
  constructor(
    private readonly intake: MessageIntake,
    private readonly ledger: RequestLedger,
    private readonly live: LiveTasks,
    private readonly reader: TaskReader,
    private readonly streams: TaskStreams,
    private readonly watcher: TaskWatcher,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  /** Answers when the task rests, at the blocking limit, or at once if asked to; the task is durable in every case. */
  send(params: SendMessageParams, call: CallContext): Promise<RawJson> {
    return this.sent(params, call, false);
  }

  private async sent(params: SendMessageParams, call: CallContext, isRepeat: boolean): Promise<RawJson> {
    try {
      const accepted = await this.intake.accept(params, call);
      if ('message' in accepted) return new RawJson(JSON.stringify(accepted));
      const task = await this.outcome(accepted, params, call);
      this.ledger.remember(accepted.taskId);
      return new RawJson(`{"task":${task}}`);
    } catch (error) {
      if (this.ledger.recognises(error)) return this.sent(params, call, isRepeat);
      if (!isConflict(error)) throw error;
      if (isRepeat) throw taskIsBusy();
      return this.sent(params, call, true);
    }
  }

  /** Ends when the task does or waits for input. A direct message is the only element of its stream. */
  stream(params: SendMessageParams, call: CallContext): Observable<StreamEvent> {
    return this.streamed(params, call, false);
  }

  private streamed(params: SendMessageParams, call: CallContext, isRepeat: boolean): Observable<StreamEvent> {
    const history = this.historyOf(params.configuration);
    const elements = new Observable<StreamEvent>((reader) => {
      // Subscribed to even if the reader has left by then: a message that was accepted gets its run.
      this.intake
        .accept(params, call)
        .then((accepted) => this.elementsOf(accepted, history).subscribe(reader))
        .catch((error: unknown) => reader.error(error));
    });
    return elements.pipe(
      catchError((error: unknown) => {
        if (this.ledger.recognises(error)) return this.streamed(params, call, isRepeat);
        if (!isConflict(error)) throw error;
        if (isRepeat) throw taskIsBusy();
        return this.streamed(params, call, true);
      }),
    );
  }

  private elementsOf(accepted: Accepted, history: number): Observable<StreamEvent> {
    if ('message' in accepted) return of(directMessage(accepted));
    return this.streams.follow(accepted.taskId, true, () => this.start(accepted, history));
  }

  /** The task as it was accepted, given out once that is durable; then the work begins. */
  private async start(accepted: AcceptedTask, history: number): Promise<StreamStart> {
    const live = this.live.find(accepted.taskId);
    if (live === undefined || accepted.start === undefined || !remembers(live, history)) {
      return this.storedStart(accepted, live, history);
    }
    const { fold } = live;
    const bornIn = fold.identity.dialect;
    const first = { taskText: fold.taskText(history), bornIn, seq: fold.lastSeq, replay: [], isOver: false };
    const settled = live.settled();
    accepted.start();
    await settled;
    this.ledger.remember(accepted.taskId);
    return first;
  }

  private async storedStart(
    { taskId, start }: AcceptedTask,
    live: LiveTask | undefined,
    history: number,
  ): Promise<StreamStart> {
    try {
      await live?.settled();
      const task = await this.reader.read(taskId, { history, artifacts: true });
      if (task === null) throw taskNotFound(taskId);
      return this.streams.current(task, true);
    } finally {
      start?.();
    }
  }

  private async outcome(accepted: AcceptedTask, params: SendMessageParams, call: CallContext): Promise<string> {
    const { taskId } = accepted;
    const history = this.historyOf(params.configuration);
    const live = this.live.find(taskId);
    const acceptedSeq = live?.fold.lastSeq ?? 0;
    accepted.start?.();
    try {
      if (await this.hasRested(taskId, live, params, call)) {
        if (live?.isCommitted === true && remembers(live, history)) return live.fold.taskText(history);
      }
    } catch (error) {
      // Only the run is lost, the message is stored: its sender is told where the task stands.
      if (live === undefined || live.committedSeq < acceptedSeq) throw error;
    }
    const task = await this.reader.read(taskId, { history, artifacts: true });
    if (task === null) throw taskNotFound(taskId);
    return task.text();
  }

  /** Waits as long as the sender wants to; true when a task of this process rests. */
  private async hasRested(
    taskId: string,
    live: LiveTask | undefined,
    { configuration }: SendMessageParams,
    call: CallContext,
  ): Promise<boolean> {
    if (configuration?.returnImmediately === true || live?.fold.isResting === true) {
      await live?.settled();
      return live?.fold.isResting === true;
    }
    const { blockingLimitMs } = this.config.a2a;
    const limitMs = call.dialect === '0.1' ? Math.min(blockingLimitMs, OLDEST_BLOCKING_LIMIT_MS) : blockingLimitMs;
    if (live !== undefined) return live.restedWithin(limitMs);
    await this.watcher.untilRest(taskId, limitMs, call.signal);
    return false;
  }

  private historyOf(configuration: SendConfiguration | undefined): number {
    return historyLimit(configuration?.historyLength, this.config.a2a.historyDefault);
  }
}

/** The fold keeps the newest messages only. */
function remembers({ fold }: LiveTask, history: number): boolean {
  return history <= RECENT_MESSAGES || fold.messageCount <= RECENT_MESSAGES;
}

/**
 * Somebody else's change to the task was stored first, so this message was not. It is tried once more on the task as it
 * is by then: what is busy, over or holds the message already says so.
 */
function isConflict(error: unknown): boolean {
  return error instanceof TaskLostError && error.refusal === 'moved';
}

function directMessage(answer: { message: Message }): StreamEvent {
  return { cursor: null, text: JSON.stringify(answer), isLast: true, value: () => answer };
}
