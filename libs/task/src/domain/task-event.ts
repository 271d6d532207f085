import { isInterrupted, isTerminal, type StreamResponse, type TaskState } from '@cleveragents/protocol';
import type { StreamEvent } from '@cleveragents/jsonrpc';
import { cursorOf } from './cursor.js';

/** One event of a task's log. Shared by all readers, so that it is parsed at most once however many there are. */
export class TaskEvent {
  private parsed: StreamResponse | undefined;
  private ending: StreamEvent | undefined;

  constructor(
    readonly taskId: string,
    readonly seq: number,
    /** StreamResponse as JSON text of A2A 1.0. */
    readonly text: string,
    /** The state the event moves the task to; null for an artifact event. */
    readonly state: TaskState | null,
  ) {}

  get cursor(): string {
    return cursorOf(this.taskId, this.seq);
  }

  get isLast(): boolean {
    return this.state !== null && isTerminal(this.state);
  }

  get isPause(): boolean {
    return this.state === 'TASK_STATE_INPUT_REQUIRED';
  }

  get isRest(): boolean {
    return this.state !== null && (isTerminal(this.state) || isInterrupted(this.state));
  }

  value(): StreamResponse {
    this.parsed ??= JSON.parse(this.text) as StreamResponse;
    return this.parsed;
  }

  /** The same event as the last one of a stream that ends at a pause. */
  asLast(): StreamEvent {
    this.ending ??= { cursor: this.cursor, text: this.text, isLast: true, value: () => this.value() };
    return this.ending;
  }
}

const STATUS_STATE =
  /^\{"statusUpdate":\{"taskId":"[^"]*","contextId":"(?:[^"\\]|\\.)*","status":\{"state":"([A-Z_]+)"/;

/** Rebuilds the events of one stored row: newline-separated texts, of which the last has number `lastSeq`. */
export function eventsOfRow(taskId: string, lastSeq: number, frames: string): TaskEvent[] {
  const texts = frames.split('\n');
  const firstSeq = lastSeq - texts.length + 1;
  return texts.map((text, index) => {
    const state = STATUS_STATE.exec(text)?.[1] as TaskState | undefined;
    return new TaskEvent(taskId, firstSeq + index, text, state ?? null);
  });
}
