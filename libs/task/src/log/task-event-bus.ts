import { Injectable } from '@nestjs/common';
import { Observable, Subject } from 'rxjs';
import type { TaskEvent } from '../domain/task-event.js';

/**
 * In-process fan-out of committed events, one Subject per task that somebody reads. Events are published in the order
 * of their numbers and only after their commit; the table stays the truth.
 */
@Injectable()
export class TaskEventBus {
  /** Ids of tasks whose log has just grown, whether somebody reads it or not. */
  readonly commits = new Subject<string>();
  private readonly subjects = new Map<string, Subject<TaskEvent>>();

  /** How many tasks have readers right now. */
  get observedTasks(): number {
    return this.subjects.size;
  }

  publish(taskId: string, events: readonly TaskEvent[]): void {
    this.commits.next(taskId);
    const subject = this.subjects.get(taskId);
    if (subject === undefined) return;
    for (const event of events) subject.next(event);
  }

  /** Events of one task from now on. Never completes by itself; the subject goes when its last reader leaves. */
  events(taskId: string): Observable<TaskEvent> {
    return new Observable<TaskEvent>((reader) => {
      let subject = this.subjects.get(taskId);
      if (subject === undefined) this.subjects.set(taskId, (subject = new Subject<TaskEvent>()));
      const current = subject;
      const subscription = current.subscribe(reader);
      return () => {
        subscription.unsubscribe();
        if (!current.observed && this.subjects.get(taskId) === current) this.subjects.delete(taskId);
      };
    });
  }
}
