import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PoolClient } from 'pg';
import { AppLogger } from '@cleveragents/observability';
import { isConnectionTrouble, Lanes } from './lanes.js';
import { commitStatement, GUARD_FAILED, TASK_EXISTS, type CommitUnit } from './commit-statement.js';

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

/** A second lane opens only when the first has been out for so long: fewer, larger batches cost less. */
const SECOND_LANE_AFTER_MS = 5;
const MAX_LANES = 2;
const MAX_BATCH = 512;
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
  private lanesOut = 0;
  private lastDeparture = 0;
  private isScheduled = false;
  private isClosed = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly lanes: Lanes,
    private readonly logger: AppLogger,
  ) {}

  /** Asks for a commit of what `source` has collected. Cheap; may be called after every change. */
  request(source: Committable): void {
    if (this.inFlight.has(source)) return;
    this.waiting.add(source);
    this.schedule();
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.size === 0) return;
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
    if (batch.length === 0) return;
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

  private takeBatch(): Taken[] {
    const batch: Taken[] = [];
    for (const source of this.waiting) {
      if (batch.length >= MAX_BATCH) break;
      this.waiting.delete(source);
      const unit = source.takeUnit();
      if (unit === null) continue;
      this.inFlight.add(source);
      batch.push({ source, unit });
    }
    return batch;
  }

  private async commitBatch(batch: readonly Taken[], isRepeat = false): Promise<void> {
    const { error, mayBeStored } = await this.attempt(batch);
    if (error === null || (await this.isStored(batch, error, isRepeat || mayBeStored))) {
      for (const { source, unit } of batch) source.committed(unit);
      return;
    }
    const [only] = batch;
    if (batch.length === 1 && only !== undefined) only.source.failed(only.unit, error);
    // One bad unit aborts the whole statement: the guilty one fails alone, the others go through.
    else for (const taken of batch) await this.commitBatch([taken], mayBeStored);
  }

  /** Waits out a database that restarts; `mayBeStored` = a connection was lost while the statement was under way. */
  private async attempt(batch: readonly Taken[]): Promise<{ error: Error | null; mayBeStored: boolean }> {
    let mayBeStored = false;
    for (let tries = 0; ; tries += 1) {
      let client: PoolClient | undefined;
      try {
        const statement = commitStatement(batch.map(({ unit }) => unit));
        client = await this.lanes.take();
        await client.query(statement);
        this.lanes.giveBack(client);
        return { error: null, mayBeStored };
      } catch (error) {
        const isLost = isConnectionTrouble(error);
        if (client !== undefined) {
          mayBeStored ||= isLost;
          if (isLost) this.lanes.discard(client);
          else this.lanes.giveBack(client);
        }
        const pause = RETRY_PAUSES_MS[tries];
        if (!isLost || pause === undefined || this.isClosed) return { error: asError(error), mayBeStored };
        this.logger.warn(`The database is away; a commit of ${batch.length} task(s) is tried again`);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  /** After a lost connection the fate of a commit is unknown: a refused repeat may mean that the first one counted. */
  private async isStored(batch: readonly Taken[], error: Error, mayBeStored: boolean): Promise<boolean> {
    const [only] = batch;
    const code = (error as { code?: string }).code;
    if (!mayBeStored || only === undefined || batch.length > 1) return false;
    if (code !== GUARD_FAILED && code !== TASK_EXISTS) return false;
    const { identity, after } = only.unit.delta;
    const rows: unknown[] = await this.dataSource.query(
      'SELECT 1 FROM task WHERE id = $1 AND last_seq = $2 AND status = $3',
      [identity.id, after.lastSeq, after.statusText],
    );
    return rows.length > 0;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
