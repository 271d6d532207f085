import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { isTransient, translatePgError } from './pg-errors.js';

interface OpenTransaction {
  readonly manager: EntityManager;
  readonly afterCommit: (() => void)[];
}

const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 10;

/**
 * The one gate to the database for domain code. A service opens a transaction with `run`; repositories ask `manager`
 * on every call and so join whatever is open. `run` inside `run` joins the outer transaction.
 */
@Injectable()
export class TransactionManager {
  private readonly logger = new Logger(TransactionManager.name);
  private readonly storage = new AsyncLocalStorage<OpenTransaction>();

  constructor(private readonly dataSource: DataSource) {}

  /** The manager of the open transaction, else the plain one (each statement its own transaction). */
  get manager(): EntityManager {
    return this.storage.getStore()?.manager ?? this.dataSource.manager;
  }

  /**
   * `work` may run again after a serialization failure or deadlock: it must touch nothing but the database. A violated
   * constraint leaves as the domain error it means.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.storage.getStore() !== undefined) return work();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.runOnce(work);
      } catch (error) {
        if (!isTransient(error) || attempt === ATTEMPTS) throw translatePgError(error);
        // Jitter keeps transactions that collided from colliding again.
        await delay(FIRST_PAUSE_MS * 2 ** attempt * Math.random());
      }
    }
  }

  /** Runs `callback` once the open transaction has committed; at once if none is open. Never after a rollback. */
  afterCommit(callback: () => void): void {
    const open = this.storage.getStore();
    if (open === undefined) callback();
    else open.afterCommit.push(callback);
  }

  private async runOnce<T>(work: () => Promise<T>): Promise<T> {
    const callbacks: (() => void)[] = [];
    const result = await this.dataSource.transaction((manager) =>
      this.storage.run({ manager, afterCommit: callbacks }, work),
    );
    for (const callback of callbacks) this.callSafely(callback);
    return result;
  }

  /** The change is durable by now: a failing listener must neither undo the answer nor silence the other listeners. */
  private callSafely(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.logger.error('A callback after commit failed', error instanceof Error ? error.stack : String(error));
    }
  }
}
