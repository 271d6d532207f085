import {
  isInterrupted,
  isTerminal,
  type Dialect,
  type Message,
  type TaskArtifactUpdate,
  type TaskState,
  type TaskStatus,
} from '@cleveragents/protocol';
import { ArtifactFold, type ArtifactSegment, type SegmentMode } from './artifact-fold.js';
import { isRepeated } from './repeated-message.js';
import { eventsOfRow, type TaskEvent } from './task-event.js';
import { composeTask, TaskFold, type TaskIdentity } from './task-fold.js';

/** A task as PostgreSQL hands it out: JSON stays text, lists are aggregated to one text each. */
export interface TaskRecord {
  readonly id: string;
  readonly namespace: string;
  readonly owner: string;
  readonly context_id: string;
  readonly dialect: Dialect;
  readonly executor: string;
  readonly state: TaskState;
  readonly status: string;
  readonly status_at: Date;
  readonly metadata: string | null;
  readonly request_hash: string | null;
  readonly last_seq: number;
  readonly folded_seq: number;
  readonly message_count: number;
  readonly segment_count: number;
  readonly created_at: Date;
  /** Newest messages, oldest first, as members of a JSON array. */
  readonly history: string | null;
  /** Artifact pieces, one a line: the mode, a blank, the body. */
  readonly segments: string | null;
  /** Events after `folded_seq`, one a line. */
  readonly tail: string | null;
}

/** A task as it was at some point of its log; without history. */
export class TaskReplay {
  private readonly artifacts = new ArtifactFold();
  private status: TaskStatus | undefined;

  constructor(private readonly identity: TaskIdentity) {}

  /** The next event of the log. */
  apply(event: TaskEvent): void {
    const { statusUpdate, artifactUpdate } = event.value();
    if (artifactUpdate !== undefined) this.artifacts.applyUpdate(artifactUpdate);
    this.status = statusUpdate?.status ?? this.status;
  }

  /** As JSON text of A2A 1.0. */
  text(): string {
    return composeTask(this.identity, JSON.stringify(this.status), this.artifacts.text(), '');
  }
}

/** A stored task, read at one moment. */
export class StoredTask {
  constructor(private readonly record: TaskRecord) {}

  get id(): string {
    return this.record.id;
  }

  get contextId(): string {
    return this.record.context_id;
  }

  get namespace(): string {
    return this.record.namespace;
  }

  get owner(): string {
    return this.record.owner;
  }

  get executor(): string {
    return this.record.executor;
  }

  get dialect(): Dialect {
    return this.record.dialect;
  }

  get state(): TaskState {
    return this.record.state;
  }

  get lastSeq(): number {
    return this.record.last_seq;
  }

  get requestHash(): string | null {
    return this.record.request_hash;
  }

  get createdAt(): Date {
    return this.record.created_at;
  }

  get isResting(): boolean {
    return isTerminal(this.record.state) || isInterrupted(this.record.state);
  }

  /** The messages it was read with, oldest first. */
  history(): Message[] {
    return JSON.parse(`[${this.record.history ?? ''}]`) as Message[];
  }

  /** True when `message` is among those that the task was read with. */
  hasMessage(message: Message): boolean {
    return isRepeated(message, this.record.history ?? '');
  }

  /** The task as JSON text of A2A 1.0, with the history it was read with. */
  text(): string {
    return composeTask(this.identity(), this.record.status, this.artifactsText(), this.record.history ?? '');
  }

  /** The same, marked as standing in for a replay that cannot be given (decisions P14). */
  replacementText(): string {
    const metadata = { ...(JSON.parse(this.record.metadata ?? '{}') as object), replay: 'snapshot' };
    const identity = { ...this.identity(), metadata: JSON.stringify(metadata) };
    return composeTask(identity, this.record.status, this.artifactsText(), this.record.history ?? '');
  }

  /** The task as it was after the given events, which must be all of them from the first on; without history. */
  textAfter(events: readonly TaskEvent[]): string {
    const replay = this.replay();
    for (const event of events) replay.apply(event);
    return replay.text();
  }

  /** The task before its first event, to be led through its log. */
  replay(): TaskReplay {
    return new TaskReplay(this.identity());
  }

  /** The fold to go on from; needs a record that was read with its newest messages. */
  fold(): TaskFold {
    const { state, status, last_seq, folded_seq, message_count, segment_count, history } = this.record;
    return TaskFold.restore(this.identity(), {
      state,
      statusText: status,
      statusAt: this.record.status_at.toISOString(),
      lastSeq: last_seq,
      foldedSeq: folded_seq,
      messageCount: message_count,
      segmentCount: segment_count,
      recent:
        history === null ? [] : (JSON.parse(`[${history}]`) as unknown[]).map((message) => JSON.stringify(message)),
      segments: segmentsOf(this.record.segments),
      tail: this.tail(),
    });
  }

  private identity(): TaskIdentity {
    const { id, context_id, namespace, owner, executor, dialect, metadata, request_hash, created_at } = this.record;
    return {
      id,
      contextId: context_id,
      namespace,
      owner,
      executor,
      dialect,
      metadata,
      requestHash: request_hash,
      createdAt: created_at.toISOString(),
    };
  }

  private artifactsText(): string {
    const { segments, tail } = this.record;
    const pieces = segmentsOf(segments);
    const updates = this.tail()
      .filter((event) => event.state === null)
      .map((event) => event.value().artifactUpdate)
      .filter((update) => update !== undefined);
    if (tail === null && pieces.every(({ mode }) => mode.startsWith('new')))
      return pieces.map(({ body }) => body).join(',');
    return foldArtifacts(pieces, updates);
  }

  private tail(): TaskEvent[] {
    const { id, last_seq, tail } = this.record;
    return tail === null ? [] : eventsOfRow(id, last_seq, tail);
  }
}

function foldArtifacts(pieces: readonly ArtifactSegment[], updates: readonly TaskArtifactUpdate[]): string {
  const fold = new ArtifactFold();
  fold.restore(pieces);
  for (const update of updates) fold.applyUpdate(update);
  return fold.text();
}

function segmentsOf(lines: string | null): ArtifactSegment[] {
  if (lines === null) return [];
  return lines.split('\n').map((line) => {
    const blank = line.indexOf(' ');
    return { mode: line.slice(0, blank) as SegmentMode, body: line.slice(blank + 1) };
  });
}
