import type { TestingModule } from '@nestjs/testing';
import { BusinessRuleViolation, DuplicateEntityError } from '@cleveragents/kernel';
import { TestDatabase } from '@cleveragents/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TransactionManager } from './transaction-manager.js';

describe('TransactionManager', () => {
  let database: TestDatabase;
  let module: TestingModule;
  let transactions: TransactionManager;

  beforeAll(async () => {
    database = await TestDatabase.create();
    module = await database.module({}).compile();
    transactions = module.get(TransactionManager);
    await sql('CREATE TABLE parent (id int PRIMARY KEY, value int NOT NULL DEFAULT 0)');
    await sql('CREATE TABLE child (parent_id int NOT NULL REFERENCES parent (id))');
  });

  beforeEach(() => sql('TRUNCATE parent, child'));

  afterAll(async () => {
    await module.close();
    await database.drop();
  });

  function sql(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    return transactions.manager.query(text, values);
  }

  async function parentIds(): Promise<unknown[]> {
    return (await sql('SELECT id FROM parent ORDER BY id')).map(({ id }) => id);
  }

  it('commits what the work wrote and returns its result', async () => {
    expect(await transactions.run(() => sql('INSERT INTO parent VALUES (1) RETURNING id'))).toEqual([{ id: 1 }]);
    expect(await parentIds()).toEqual([1]);
  });

  it('undoes everything, inner work included, when the work fails', async () => {
    const work = transactions.run(async () => {
      await transactions.run(() => sql('INSERT INTO parent VALUES (1)'));
      throw new Error('refused');
    });
    await expect(work).rejects.toThrow('refused');
    expect(await parentIds()).toEqual([]);
  });

  it('hides uncommitted rows from statements outside the transaction', async () => {
    let seen: unknown[] = [];
    let release = (): void => undefined;
    const isWritten = new Promise<void>((resolve) => (release = resolve));
    const outside = isWritten.then(async () => (seen = await parentIds()));
    await transactions.run(async () => {
      await sql('INSERT INTO parent VALUES (1)');
      release();
      await outside;
    });
    expect(seen).toEqual([]);
  });

  it('calls back after the commit, and not after a rollback', async () => {
    const committed = vi.fn<() => void>();
    const rolledBack = vi.fn<() => void>();
    await transactions.run(async () => {
      transactions.afterCommit(committed);
      await sql('INSERT INTO parent VALUES (1)');
      expect(committed).not.toHaveBeenCalled();
    });
    expect(committed).toHaveBeenCalledOnce();
    const failing = transactions.run(async () => {
      transactions.afterCommit(rolledBack);
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    expect(rolledBack).not.toHaveBeenCalled();
  });

  it('calls back at once when no transaction is open', () => {
    const callback = vi.fn<() => void>();
    transactions.afterCommit(callback);
    expect(callback).toHaveBeenCalledOnce();
  });

  it('gives the result and calls the other callbacks although one callback fails', async () => {
    module.useLogger(false);
    const other = vi.fn<() => void>();
    const result = await transactions.run(async () => {
      transactions.afterCommit(() => {
        throw new Error('broken listener');
      });
      transactions.afterCommit(other);
      return 'done';
    });
    expect(result).toBe('done');
    expect(other).toHaveBeenCalledOnce();
  });

  it('does the work again after a deadlock, and calls back once', async () => {
    await sql('INSERT INTO parent VALUES (1), (2)');
    const callback = vi.fn<() => void>();
    let waiting = 2;
    let meet = (): void => undefined;
    const bothHoldOne = new Promise<void>((resolve) => (meet = resolve));

    const swap = (first: number, second: number): Promise<void> =>
      transactions.run(async () => {
        transactions.afterCommit(callback);
        await sql('UPDATE parent SET value = value + 1 WHERE id = $1', [first]);
        waiting -= 1;
        if (waiting === 0) meet();
        await bothHoldOne;
        await sql('UPDATE parent SET value = value + 1 WHERE id = $1', [second]);
      });

    await Promise.all([swap(1, 2), swap(2, 1)]);
    expect(await sql('SELECT id, value FROM parent ORDER BY id')).toEqual([
      { id: 1, value: 2 },
      { id: 2, value: 2 },
    ]);
    expect(callback).toHaveBeenCalledTimes(2);
  });

  it('gives up on a transaction that keeps colliding', async () => {
    const work = vi.fn<() => Promise<unknown>>(() =>
      sql("DO $$ BEGIN RAISE EXCEPTION 'collision' USING ERRCODE = '40001'; END $$"),
    );
    await expect(transactions.run(work)).rejects.toThrow('collision');
    expect(work).toHaveBeenCalledTimes(4);
  });

  it('reports a unique violation as a duplicate', async () => {
    await sql('INSERT INTO parent VALUES (1)');
    const work = transactions.run(() => sql('INSERT INTO parent VALUES (1)'));
    await expect(work).rejects.toThrow(DuplicateEntityError);
  });

  it('reports a reference violation as a broken rule, without naming tables', async () => {
    const work = transactions.run(() => sql('INSERT INTO child VALUES (7)'));
    await expect(work).rejects.toThrow(BusinessRuleViolation);
    await expect(work).rejects.not.toThrow(/child|parent/);
  });
});
