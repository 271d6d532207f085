import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import type { CallContext, StreamEvent } from '@cleveragents/jsonrpc';
import { isTerminal, type Dialect, type StreamResponse } from '@cleveragents/protocol';
import { defer, Observable, switchMap, type Subscriber } from 'rxjs';
import { cursorOf, seqOfCursor } from './domain/cursor.js';
import type { StoredTask } from './domain/stored-task.js';
import type { TaskEvent } from './domain/task-event.js';
import { assertOpen } from './domain/task-state.js';
import type { SubscribeToTaskParams } from './dto/task.params.js';
import { TaskEventBus } from './log/task-event-bus.js';
import { TaskReader } from './log/task-reader.js';
import { TaskVisibility } from './task-visibility.js';

/** Where a stream starts: the Task up to `seq`, then the events already known that follow it. */
export interface StreamStart {
  readonly taskText: string;
  readonly bornIn: Dialect;
  readonly seq: number;
  readonly replay: readonly TaskEvent[];
  /** Nothing follows the Task. */
  readonly isOver: boolean;
}

/** Readers of the task log (decisions P13, P14): the real Task first, then every event after it once and in order. */
@Injectable()
export class TaskStreams {
  constructor(
    private readonly bus: TaskEventBus,
    private readonly reader: TaskReader,
    private readonly visibility: TaskVisibility,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  /** Stays open through input-required; ends when the task does. */
  subscribe(params: SubscribeToTaskParams, call: CallContext): Observable<StreamEvent> {
    if (call.dialect === '1.0') return this.follow(params.id, false, () => this.startOf(params, call));
    // A client of A2A 0.1 may know the task by another name than the log does.
    return defer(() => this.visibility.read(params.id, call.principal)).pipe(
      switchMap(({ id }) => this.follow(id, false, () => this.startOf({ ...params, id }, call))),
    );
  }

  /**
   * Listens to the bus before `start` reads, so that nothing is lost in between; events that `start` already covers are
   * dropped by their number. With `endsAtPause` the stream also ends when the task waits for input.
   */
  follow(taskId: string, endsAtPause: boolean, start: () => Promise<StreamStart>): Observable<StreamEvent> {
    return new Observable<StreamEvent>((reader) => {
      const follower = new Follower(reader, taskId, endsAtPause, (seq) => this.reader.eventsAfter(taskId, seq));
      const subscription = this.bus.events(taskId).subscribe((event) => follower.event(event));
      start().then(
        (first) => {
          follower.start(first);
          this.bus.startsAt(taskId, first.replay.at(-1)?.seq ?? first.seq);
        },
        (error: unknown) => reader.error(error),
      );
      return subscription;
    });
  }

  /** A start at what is stored now. */
  current(task: StoredTask, endsAtPause: boolean): StreamStart {
    const isOver = isTerminal(task.state) || (endsAtPause && task.state === 'TASK_STATE_INPUT_REQUIRED');
    return { taskText: task.text(), bornIn: task.dialect, seq: task.lastSeq, replay: [], isOver };
  }

  private async startOf(params: SubscribeToTaskParams, call: CallContext): Promise<StreamStart> {
    const whole = { history: this.config.a2a.historyDefault, artifacts: true };
    const task = await this.visibility.read(params.id, call.principal, whole);
    const cursor = call.lastEventId === null || call.lastEventId === '' ? afterSeq(params, task.id) : call.lastEventId;
    const seq = cursor === null ? null : seqOfCursor(cursor, task.id);
    const replayed = seq === null || seq >= task.lastSeq ? null : await this.replay(task, seq);
    if (replayed !== null) return replayed;
    assertOpen(task.state);
    const isCaughtUp = cursor === null || seq === task.lastSeq;
    return isCaughtUp ? this.current(task, false) : { ...this.current(task, false), taskText: task.replacementText() };
  }

  private async replay(task: StoredTask, seq: number): Promise<StreamStart | null> {
    const events = await this.reader.eventsAfter(task.id, 0);
    if (events[0]?.seq !== 1 || seq < 1) return null;
    const seen = events.filter((event) => event.seq <= seq);
    return {
      taskText: task.textAfter(seen),
      bornIn: task.dialect,
      seq,
      replay: events.slice(seen.length),
      isOver: false,
    };
  }
}

function afterSeq({ metadata }: SubscribeToTaskParams, taskId: string): string | null {
  const seq = metadata?.afterSeq;
  if (seq === undefined || seq === null || typeof seq === 'string') return seq ?? null;
  return typeof seq === 'number' ? cursorOf(taskId, seq) : JSON.stringify(seq);
}

/**
 * One reader of one task: holds events back until the start is known, then passes on what follows it. Transactions that
 * commit one after the other may be told of in another order: what is missing is read from the log.
 */
class Follower {
  private held: TaskEvent[] | null = [];
  private lastSeq = 0;

  constructor(
    private readonly reader: Subscriber<StreamEvent>,
    private readonly taskId: string,
    private readonly endsAtPause: boolean,
    private readonly eventsAfter: (seq: number) => Promise<TaskEvent[]>,
  ) {}

  start({ taskText, bornIn, seq, replay, isOver }: StreamStart): void {
    const text = `{"task":${taskText}}`;
    this.lastSeq = seq;
    this.reader.next({
      cursor: cursorOf(this.taskId, seq),
      text,
      bornIn,
      isLast: isOver,
      value: () => JSON.parse(text) as StreamResponse,
    });
    if (isOver) this.reader.complete();
    this.resume(replay);
  }

  event(event: TaskEvent): void {
    if (this.held !== null) {
      this.held.push(event);
    } else if (event.seq === this.lastSeq + 1) {
      this.pass(event);
    } else if (event.seq > this.lastSeq) {
      this.held = [event];
      this.eventsAfter(this.lastSeq).then(
        // A log that does not keep the missing events any more has at least this one.
        (kept) => this.resume(kept.length > 0 ? kept : [event]),
        (error: unknown) => this.reader.error(error),
      );
    }
  }

  /** Passes on what was read, then what was held back meanwhile. */
  private resume(read: readonly TaskEvent[]): void {
    const held = this.held ?? [];
    this.held = null;
    for (const event of read) if (event.seq > this.lastSeq) this.pass(event);
    for (const event of held) this.event(event);
  }

  private pass(event: TaskEvent): void {
    this.lastSeq = event.seq;
    const isEnd = event.isLast || (this.endsAtPause && event.isPause);
    this.reader.next(isEnd ? event.asLast() : event);
    if (isEnd) this.reader.complete();
  }
}
