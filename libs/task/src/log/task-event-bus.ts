import { Injectable } from '@nestjs/common';
import { Observable, Subject } from 'rxjs';
import type { TaskEvent } from '../domain/task-event.js';

interface Channel {
  readonly subject: Subject<TaskEvent>;
  /** The newest event that the readers know; null until the first of them says where it starts. */
  seq: number | null;
}

/**
 * In-process fan-out of committed events, one Subject per task that somebody reads. Events are published in the order
 * of their numbers and only after their commit; the table stays the truth. An event that this process commits while it
 * reads the table may come twice: readers go by its number.
 */
@Injectable()
export class TaskEventBus {
  /** Ids of tasks whose log has just grown by a commit of this process, whether somebody reads it or not. */
  readonly commits = new Subject<string>();
  /** Ids of tasks that are read here and whose log may hold more than the readers were told. */
  readonly doubts = new Subject<string>();
  private readonly channels = new Map<string, Channel>();

  /** How many tasks have readers right now. */
  get observedTasks(): number {
    return this.channels.size;
  }

  /** What this process has committed. */
  publish(taskId: string, events: readonly TaskEvent[]): void {
    this.commits.next(taskId);
    const channel = this.channels.get(taskId);
    if (channel === undefined) return;
    const last = events.at(-1)?.seq ?? 0;
    if (channel.seq === null || channel.seq < last) channel.seq = last;
    for (const event of events) channel.subject.next(event);
  }

  /** What was found in the table; readers get what they were not told yet. */
  relay(taskId: string, events: readonly TaskEvent[]): void {
    const channel = this.channels.get(taskId);
    if (channel === undefined) return;
    for (const event of events) {
      if (channel.seq !== null && event.seq <= channel.seq) continue;
      channel.seq = event.seq;
      channel.subject.next(event);
    }
  }

  /** A reader knows the task up to this event. */
  startsAt(taskId: string, seq: number): void {
    const channel = this.channels.get(taskId);
    if (channel === undefined || (channel.seq !== null && channel.seq >= seq)) return;
    channel.seq ??= seq;
    this.doubts.next(taskId);
  }

  /** The task may have been changed by somebody else. */
  doubt(taskId: string): void {
    if (this.channels.has(taskId)) this.doubts.next(taskId);
  }

  /** Up to where the readers of each observed task have been told, where that is known. */
  positions(): Map<string, number> {
    const positions = new Map<string, number>();
    for (const [taskId, { seq }] of this.channels) if (seq !== null) positions.set(taskId, seq);
    return positions;
  }

  /** Events of one task from now on. Never completes by itself; the channel goes when its last reader leaves. */
  events(taskId: string): Observable<TaskEvent> {
    return new Observable<TaskEvent>((reader) => {
      let channel = this.channels.get(taskId);
      if (channel === undefined) this.channels.set(taskId, (channel = { subject: new Subject(), seq: null }));
      const current = channel;
      const subscription = current.subject.subscribe(reader);
      return () => {
        subscription.unsubscribe();
        if (!current.subject.observed && this.channels.get(taskId) === current) this.channels.delete(taskId);
      };
    });
  }
}
