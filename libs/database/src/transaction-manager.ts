import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

interface OpenTransaction {
  readonly manager: EntityManager;
  readonly afterCommit: (() => void)[];
}

/**
 * The one gate to the database for domain code. A service opens a transaction with `run`; repositories ask `manager`
 * on every call and so join whatever is open. `run` inside `run` joins the outer transaction.
 */
@Injectable()
export class TransactionManager {
  private readonly storage = new AsyncLocalStorage<OpenTransaction>();

  constructor(private readonly dataSource: DataSource) {}

  /** The manager of the open transaction, else the plain one (each statement its own transaction). */
  get manager(): EntityManager {
    return this.storage.getStore()?.manager ?? this.dataSource.manager;
  }

  /** `work` may run again after a serialization failure or deadlock: it must touch nothing but the database. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.storage.getStore() !== undefined) return work();
    const callbacks: (() => void)[] = [];
    const result = await this.dataSource.transaction((manager) =>
      this.storage.run({ manager, afterCommit: callbacks }, work),
    );
    for (const callback of callbacks) callback();
    return result;
  }

  /** Runs `callback` once the open transaction has committed; at once if none is open. Never after a rollback. */
  afterCommit(callback: () => void): void {
    const open = this.storage.getStore();
    if (open === undefined) callback();
    else open.afterCommit.push(callback);
  }
}
