import type { Origin } from '@cleveragents/kernel';
import { isInterrupted, isTerminal, type Dialect, type Message, type TaskState } from '@cleveragents/protocol';
import type { TaskChange } from '../task-journal.js';
import { ArtifactFold, artifactText, SealedArtifactError, type ArtifactSegment } from './artifact-fold.js';
import { withoutLargeParts, type LargeContent } from './large-parts.js';
import { isRepeated } from './repeated-message.js';
import { TaskEvent } from './task-event.js';
import { assertCanMove, assertOpen, isActive } from './task-state.js';

/** Messages that a fold keeps in memory; older ones are read from the table when somebody asks for them. */
export const RECENT_MESSAGES = 50;

/** Artifact pieces are stored at the latest after this many events, so that reading a working task stays cheap. */
const MAX_UNFOLDED_EVENTS = 200;

export interface Transition {
  /** Null = the task is new. */
  readonly from: TaskState | null;
  readonly to: TaskState;
  readonly reason: string | null;
  readonly seq: number;
  readonly at: string;
  readonly origin: Origin;
}

/** The columns of the task row that move. */
export interface TaskRowState {
  readonly state: TaskState;
  readonly statusText: string;
  readonly statusAt: string;
  readonly lastSeq: number;
  /** Artifact events up to this one are stored as artifact pieces. */
  readonly foldedSeq: number;
  readonly messageCount: number;
  readonly segmentCount: number;
}

type ArtifactChange = Extract<TaskChange, { kind: 'artifact' }>;

/** What a fold has changed since it was last stored: becomes durable as one piece, or not at all. */
export interface TaskDelta {
  readonly identity: TaskIdentity;
  readonly after: TaskRowState;
  /** Number of the last event before this delta; 0 = the task is new. */
  readonly previousSeq: number;
  readonly events: TaskEvent[];
  readonly transitions: Transition[];
  /** Texts of messages; the first has number `firstMessage`. */
  readonly messages: string[];
  readonly firstMessage: number;
  /** Content of artifact parts that is kept in the blob store, to be there before the delta is durable. */
  readonly contents: readonly LargeContent[];
  readonly segments: readonly ArtifactSegment[];
  readonly firstSegment: number;
}

export interface TaskIdentity {
  readonly id: string;
  readonly contextId: string;
  readonly namespace: string;
  readonly owner: string;
  readonly executor: string;
  /** Generation of A2A that the task was born in. */
  readonly dialect: Dialect;
  /** JSON text of the task's metadata. */
  readonly metadata: string | null;
  /** Hash of the request, kept only under an explicit idempotency key. */
  readonly requestHash: string | null;
  readonly createdAt: string;
}

/** Where a stored task stands. */
export interface TaskPosition extends TaskRowState {
  /** Newest messages, oldest first. */
  readonly recent: readonly string[];
  readonly segments: readonly ArtifactSegment[];
  /** Events after `foldedSeq`: their artifact pieces are not stored yet. */
  readonly tail: readonly TaskEvent[];
}

/**
 * The task as the fold of its events: every change goes through `apply`, which checks it, numbers it and remembers what
 * must be stored. Pure: no clock, no database. Text is kept as JSON of A2A 1.0, ready for the wire and the tables.
 */
export class TaskFold {
  state: TaskState = 'TASK_STATE_SUBMITTED';
  statusText = '';
  statusAt = '';
  lastSeq = 0;
  foldedSeq = 0;
  messageCount = 0;
  segmentCount = 0;
  readonly recent: string[] = [];
  readonly artifacts = new ArtifactFold();

  private storedSeq = 0;
  private storedMessages = 0;
  private events: TaskEvent[] = [];
  private transitions: Transition[] = [];
  private messages: string[] = [];
  private contents: LargeContent[] = [];

  constructor(readonly identity: TaskIdentity) {}

  static create(identity: TaskIdentity, messages: readonly Message[], origin: Origin): TaskFold {
    const fold = new TaskFold(identity);
    for (const message of messages) fold.addMessage(message);
    fold.addStatus({ from: null, to: fold.state, reason: null, seq: 1, at: identity.createdAt, origin }, undefined);
    return fold;
  }

  static restore(identity: TaskIdentity, position: TaskPosition): TaskFold {
    const fold = new TaskFold(identity);
    fold.state = position.state;
    fold.statusText = position.statusText;
    fold.statusAt = position.statusAt;
    fold.lastSeq = fold.storedSeq = position.lastSeq;
    fold.foldedSeq = position.foldedSeq;
    fold.messageCount = fold.storedMessages = position.messageCount;
    fold.segmentCount = position.segmentCount;
    fold.recent.push(...position.recent);
    fold.artifacts.restore(position.segments);
    for (const event of position.tail) {
      const update = event.state === null ? event.value().artifactUpdate : undefined;
      if (update !== undefined) fold.artifacts.applyUpdate(update);
    }
    return fold;
  }

  get isResting(): boolean {
    return isTerminal(this.state) || isInterrupted(this.state);
  }

  get isActive(): boolean {
    return isActive(this.state);
  }

  get hasChanges(): boolean {
    return this.events.length > 0 || this.messages.length > 0;
  }

  /** True when `message` is among the newest ones. */
  hasMessage(message: Message): boolean {
    return isRepeated(message, this.recent.join(','));
  }

  /** Throws, and changes nothing, when the task is over or the change makes no sense where it stands. */
  apply(change: TaskChange, at: string, origin: Origin): void {
    if (change.kind === 'status') {
      assertCanMove(this.state, change.state);
      const { state: to, reason = null } = change;
      this.addStatus({ from: this.state, to, reason, seq: this.lastSeq + 1, at, origin }, change.message);
      return;
    }
    assertOpen(this.state);
    if (change.kind === 'message') this.addMessage(change.message);
    else this.addArtifact(change);
  }

  /** Hands out what has changed and counts it as stored from now on. */
  takeDelta(): TaskDelta {
    const fold = this.isResting || this.lastSeq - this.foldedSeq >= MAX_UNFOLDED_EVENTS;
    const segments = fold ? this.artifacts.takeSegments() : [];
    if (fold) this.foldedSeq = this.lastSeq;
    this.segmentCount += segments.length;
    const delta: TaskDelta = {
      identity: this.identity,
      after: this.rowState(),
      previousSeq: this.storedSeq,
      events: this.events,
      transitions: this.transitions,
      messages: this.messages,
      firstMessage: this.storedMessages + 1,
      contents: this.contents,
      segments,
      firstSegment: this.segmentCount - segments.length + 1,
    };
    this.storedSeq = this.lastSeq;
    this.storedMessages = this.messageCount;
    this.events = [];
    this.transitions = [];
    this.messages = [];
    this.contents = [];
    return delta;
  }

  private rowState(): TaskRowState {
    const { state, statusText, statusAt, lastSeq, foldedSeq, messageCount, segmentCount } = this;
    return { state, statusText, statusAt, lastSeq, foldedSeq, messageCount, segmentCount };
  }

  /** The task as JSON text of A2A 1.0 with at most `historyLength` newest messages of those in memory. */
  taskText(historyLength: number): string {
    const history = historyLength > 0 ? this.recent.slice(-historyLength).join(',') : '';
    return composeTask(this.identity, this.statusText, this.artifacts.text(), history);
  }

  private addMessage(message: Message): void {
    const { id, contextId } = this.identity;
    const text = JSON.stringify({ ...message, taskId: id, contextId });
    this.messages.push(text);
    this.messageCount += 1;
    this.recent.push(text);
    if (this.recent.length > RECENT_MESSAGES) this.recent.shift();
  }

  private addStatus(transition: Transition, message: Message | undefined): void {
    const { to, reason, at } = transition;
    if (message !== undefined) this.addMessage(message);
    const messageText = message === undefined ? '' : `,"message":${this.recent.at(-1)}`;
    this.statusText = `{"state":"${to}","timestamp":"${at}"${messageText}}`;
    this.statusAt = at;
    const metadata = reason === null ? '' : `,"metadata":{"reason":${JSON.stringify(reason)}}`;
    this.addEvent(`{"statusUpdate":{${this.address()},"status":${this.statusText}${metadata}}}`, to);
    this.transitions.push(transition);
    this.state = to;
  }

  private addArtifact({ artifact: given, append = false, lastChunk = false }: ArtifactChange): void {
    if (append && this.artifacts.isSealed(given.artifactId)) throw new SealedArtifactError(given.artifactId);
    const { artifact, contents } = withoutLargeParts(given);
    this.contents.push(...contents);
    this.artifacts.apply(artifact, append, lastChunk);
    this.addEvent(
      `{"artifactUpdate":{${this.address()},"artifact":${artifactText(artifact)},"append":${append},"lastChunk":${lastChunk}}}`,
      null,
    );
  }

  private addEvent(text: string, state: TaskState | null): void {
    this.lastSeq += 1;
    this.events.push(new TaskEvent(this.identity.id, this.lastSeq, text, state));
  }

  private address(): string {
    return `"taskId":"${this.identity.id}","contextId":${JSON.stringify(this.identity.contextId)}`;
  }
}

/** A task as JSON text of A2A 1.0, from texts; empty lists are left out. */
export function composeTask(
  task: Pick<TaskIdentity, 'id' | 'contextId' | 'metadata'>,
  statusText: string,
  artifactsText: string,
  historyText: string,
): string {
  const artifacts = artifactsText === '' ? '' : `,"artifacts":[${artifactsText}]`;
  const history = historyText === '' ? '' : `,"history":[${historyText}]`;
  const metadata = task.metadata === null ? '' : `,"metadata":${task.metadata}`;
  return `{"id":"${task.id}","contextId":${JSON.stringify(task.contextId)},"status":${statusText}${artifacts}${history}${metadata}}`;
}
