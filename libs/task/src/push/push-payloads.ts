import { Injectable } from '@nestjs/common';
import type { JsonValue } from '@cleveragents/kernel';
import { codecFor } from '@cleveragents/protocol';
import { LRUCache } from 'lru-cache';
import type { TaskReplay } from '../domain/stored-task.js';
import type { TaskEvent } from '../domain/task-event.js';
import { BARE, TaskReader } from '../log/task-reader.js';
import { SignedParts } from '../signed-parts.js';
import type { ClaimedConfig } from './push-queue.repository.js';
import type { Notification } from './push-sender.js';

/** Snapshots kept between claims, so that a task with many events is not folded from its first one for each of them. */
const REMEMBERED = 200;

/** A task as its newest told event left it. */
interface Snapshot {
  readonly replay: TaskReplay;
  seq: number;
}

/**
 * What is posted for an event: in 1.0 the event itself, as in a stream; earlier generations expect the Task, as it was
 * after the event (A2A 1.0 §4.3.3, 0.3 §9.5). Its history is left out.
 */
@Injectable()
export class PushPayloads {
  private readonly snapshots = new LRUCache<string, Snapshot>({ max: REMEMBERED });

  constructor(
    private readonly reader: TaskReader,
    private readonly parts: SignedParts,
  ) {}

  /** The notifications that follow what the receiver knows, in order. */
  async pending(config: ClaimedConfig, deliveredSeq: number): Promise<Iterable<Notification>> {
    const events = await this.reader.eventsAfter(config.taskId, deliveredSeq);
    if (config.dialect === '1.0') return events.map(({ seq, text }) => ({ seq, body: this.parts.inText(text) }));
    const snapshot = await this.snapshotOf(config, deliveredSeq);
    return snapshot === null ? [] : this.snapshotsAfter(config, snapshot, events);
  }

  /** One at a time: only the one that is being sent is held in memory. */
  private *snapshotsAfter(config: ClaimedConfig, snapshot: Snapshot, events: TaskEvent[]): Generator<Notification> {
    const codec = codecFor(config.dialect);
    for (const event of events) {
      advance(snapshot, event);
      const task = JSON.parse(this.parts.inText(snapshot.replay.text())) as JsonValue;
      const payload = codec.encode('GetTask', task, config.wireTaskId ?? undefined);
      yield { seq: event.seq, body: JSON.stringify(payload) };
      if (event.isLast) this.snapshots.delete(keyOf(config));
    }
  }

  /** At the last event that was told, or at the one after it if that was in vain. */
  private async snapshotOf(config: ClaimedConfig, deliveredSeq: number): Promise<Snapshot | null> {
    const key = keyOf(config);
    const known = this.snapshots.get(key);
    if (known !== undefined && (known.seq === deliveredSeq || known.seq === deliveredSeq + 1)) return known;
    const task = await this.reader.read(config.taskId, BARE);
    if (task === null) return null;
    const snapshot = { replay: task.replay(), seq: 0 };
    for (const event of await this.reader.eventsAfter(config.taskId, 0)) {
      if (event.seq <= deliveredSeq) advance(snapshot, event);
    }
    this.snapshots.set(key, snapshot);
    return snapshot;
  }
}

function keyOf({ taskId, id }: ClaimedConfig): string {
  return `${taskId} ${id}`;
}

function advance(snapshot: Snapshot, event: TaskEvent): void {
  if (event.seq <= snapshot.seq) return;
  snapshot.replay.apply(event);
  snapshot.seq = event.seq;
}
