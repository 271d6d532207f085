import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { AppLogger } from '@cleveragents/observability';
import { commitStatement, refusalOf, type CommitUnit } from './commit-statement.js';
import { isConnectionTrouble, Lanes } from './lanes.js';
import { LargeContents } from './large-contents.js';
import { TransitionLog } from './transition-log.js';

/** Something that collects changes and hands them over when the writer has room. */
export interface Committable {
  readonly hasChanges: boolean;
  /** The changes since the last take, or null if there are none. */
  takeUnit(): CommitUnit | null;
  /** The unit is durable. */
  committed(unit: CommitUnit): void;
  /** The unit is not durable and never will be. */
  failed(unit: CommitUnit, error: Error): void;
}

interface Taken {
  readonly source: Committable;
  readonly unit: CommitUnit;
}

interface Attempt {
  readonly error: Error | null;
  readonly mayBeStored: boolean;
}

/** A second lane opens only when the first has been out for so long: fewer, larger batches cost less. */
const SECOND_LANE_AFTER_MS = 5;
const MAX_LANES = 2;
const MAX_BATCH = 512;
/** A batch with this much text takes no further unit: its parameters exist three times in memory on their way. */
const MAX_BATCH_CHARACTERS = 8 * 1024 * 1024;
const RETRY_PAUSES_MS = [50, 200, 500, 1000, 2000, 4000, 8000];

/**
 * Group commit: whatever waits for durability when a lane is free joins one multi-row statement. What a task does while
 * its unit is in flight collects in its next unit, so the events of one task never overtake each other and no two
 * statements in flight hold the same task.
 */
@Injectable()
export class CommitWriter implements OnApplicationShutdown {
  private readonly waiting = new Set<Committable>();
  private readonly inFlight = new Set<Committable>();
  /** Taken before; the large contents that they point to are kept by now. */
  private complete: Taken[] = [];
  private lanesOut = 0;
  private lastDeparture = 0;
  private isScheduled = false;
  private isClosed = false;
  private whenIdle: () => void = () => undefined;

  constructor(
    private readonly lanes: Lanes,
    private readonly transitions: TransitionLog,
    private readonly contents: LargeContents,
    private readonly logger: AppLogger,
  ) {}

  /** Asks for a commit of what `source` has collected. Cheap; may be called after every change. */
  request(source: Committable): void {
    if (this.inFlight.has(source)) return;
    this.waiting.add(source);
    this.schedule();
  }

  /** Commits what is left; a database that is away now is not waited for. */
  async onApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    if (this.isIdle) return;
    await new Promise<void>((resolve) => (this.whenIdle = resolve));
  }

  private get isIdle(): boolean {
    return this.waiting.size === 0 && this.inFlight.size === 0;
  }

  private schedule(): void {
    if (this.isScheduled || (this.waiting.size === 0 && this.complete.length === 0)) return;
    if (this.lanesOut >= MAX_LANES) return;
    if (this.lanesOut > 0 && performance.now() - this.lastDeparture < SECOND_LANE_AFTER_MS) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      void this.depart();
    });
  }

  private async depart(): Promise<void> {
    const batch = this.takeBatch();
    if (batch.length > 0) {
      this.lanesOut += 1;
      this.lastDeparture = performance.now();
      await this.commitBatch(batch);
      this.lanesOut -= 1;
      for (const { source } of batch) {
        this.inFlight.delete(source);
        if (source.hasChanges) this.waiting.add(source);
      }
      this.schedule();
    }
    if (this.isIdle) this.whenIdle();
  }

  private takeBatch(): Taken[] {
    const batch = this.complete;
    this.complete = [];
    let characters = 0;
    for (const source of this.waiting) {
      if (batch.length >= MAX_BATCH || characters >= MAX_BATCH_CHARACTERS) break;
      this.waiting.delete(source);
      const unit = source.takeUnit();
      if (unit === null) continue;
      this.inFlight.add(source);
      if (unit.delta.contents.length > 0) {
        void this.completed({ source, unit });
        continue;
      }
      batch.push({ source, unit });
      characters += charactersOf(unit);
    }
    return batch;
  }

  /** Outside of the lanes: nobody else waits for a slow blob store. */
  private async completed(taken: Taken): Promise<void> {
    const { source, unit } = taken;
    try {
      await this.contents.keep(unit.delta.contents);
      this.complete.push(taken);
    } catch (error) {
      this.inFlight.delete(source);
      source.failed(unit, asError(error));
      if (this.isIdle) this.whenIdle();
    }
    this.schedule();
  }

  private async commitBatch(batch: readonly Taken[], isRepeat = false): Promise<void> {
    const { error, mayBeStored } = await this.attempt(batch, isRepeat);
    if (error === null || (await this.isStored(batch, error, mayBeStored))) {
      for (const { source, unit } of batch) {
        source.committed(unit);
        this.transitions.record(unit.delta);
      }
      return;
    }
    const [only] = batch;
    if (batch.length === 1 && only !== undefined) {
      only.source.failed(only.unit, error);
      return;
    }
    // One bad unit aborts the whole statement: halving finds it, and the others go through.
    const middle = Math.ceil(batch.length / 2);
    await this.commitBatch(batch.slice(0, middle), mayBeStored);
    await this.commitBatch(batch.slice(middle), mayBeStored);
  }

  /** `mayBeStored` = a connection was lost while the statement was under way, now or in an earlier attempt. */
  private async attempt(batch: readonly Taken[], isRepeat: boolean): Promise<Attempt> {
    let mayBeStored = isRepeat;
    const error = await this.outlasting(`a commit of ${batch.length} task(s)`, async (client) => {
      const statement = commitStatement(batch.map(({ unit }) => unit));
      try {
        await client.query(statement);
      } catch (failure) {
        mayBeStored ||= isConnectionTrouble(failure);
        throw failure;
      }
    });
    return { error, mayBeStored };
  }

  /** After a lost connection the fate of a commit is unknown: a refused repeat may mean that the first one counted. */
  private async isStored(batch: readonly Taken[], error: Error, mayBeStored: boolean): Promise<boolean> {
    const [only] = batch;
    if (!mayBeStored || only === undefined || batch.length > 1 || refusalOf(error, only.unit) === null) return false;
    const { identity, after } = only.unit.delta;
    let isFound = false;
    await this.outlasting('a look at a task', async (client) => {
      const { rowCount } = await client.query(STORED, [identity.id, after.lastSeq, after.statusText]);
      isFound = rowCount === 1;
    });
    return isFound;
  }

  /** Does `work` on a lane, again and again while the database is away; null, or the error that ended it. */
  private async outlasting(what: string, work: (client: PoolClient) => Promise<void>): Promise<Error | null> {
    for (let tries = 0; ; tries += 1) {
      const error = await this.tried(work);
      const pause = RETRY_PAUSES_MS[tries];
      if (error === null || !isConnectionTrouble(error) || pause === undefined || this.isClosed) return error;
      this.logger.warn(`The database is away; ${what} is tried again`);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  private async tried(work: (client: PoolClient) => Promise<void>): Promise<Error | null> {
    let client: PoolClient | undefined;
    try {
      client = await this.lanes.take();
      await work(client);
      this.lanes.giveBack(client);
      return null;
    } catch (error) {
      if (client !== undefined) this.lanes.giveBackAfter(error, client);
      return asError(error);
    }
  }
}

const STORED = 'SELECT 1 FROM task WHERE id = $1::uuid AND last_seq = $2::int AND status = $3';

function charactersOf({ delta: { events, messages, segments } }: CommitUnit): number {
  let characters = 0;
  for (const { text } of events) characters += text.length;
  for (const text of messages) characters += text.length;
  for (const { body } of segments) characters += body.length;
  return characters;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
