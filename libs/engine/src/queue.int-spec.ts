import { newUlid } from '@cleveragents/kernel';
import { TransactionManager } from '@cleveragents/database';
import { TestDatabase } from '@cleveragents/testing';
import type { TestingModule } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JobQueue } from './queue.js';
import { QueueModule } from './queue.module.js';

describe('JobQueue', () => {
  let database: TestDatabase;
  let module: TestingModule;
  let queue: JobQueue;
  let tx: TransactionManager;

  beforeAll(async () => {
    database = await TestDatabase.create();
    module = await database.module({ imports: [QueueModule] }).compile();
    await module.init();
    queue = module.get(JobQueue);
    tx = module.get(TransactionManager);
  });

  afterAll(async () => {
    await module.close();
    await database.drop();
  });

  /** A queue of its own, and the jobs that arrive in it, in order. */
  async function openQueue(): Promise<{ name: string; next: () => Promise<unknown> }> {
    const name = `test-${newUlid()}`;
    const arrived: unknown[] = [];
    let wake: () => void = () => undefined;
    await queue.consume(name, async (data) => {
      arrived.push(data['n']);
      wake();
    });
    const next = async (): Promise<unknown> => {
      while (arrived.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return arrived.shift();
    };
    return { name, next };
  }

  it('runs a job that was sent in a committed transaction', async () => {
    const { name, next } = await openQueue();
    await tx.run(() => queue.send(name, { n: 1 }));
    expect(await next()).toBe(1);
  });

  it('never runs a job whose transaction was rolled back', async () => {
    const { name, next } = await openQueue();
    const rolledBack = tx.run(async () => {
      await queue.send(name, { n: 'lost' });
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await tx.run(() => queue.send(name, { n: 'kept' }));
    expect(await next()).toBe('kept');
  });

  it('tells whether a job waits to be taken', async () => {
    const name = `test-${newUlid()}`;
    await queue.send(name, { n: 1, more: 'data' });
    expect(await queue.isWaiting(name, { n: 1 })).toBe(true);
    expect(await queue.isWaiting(name, { n: 2 })).toBe(false);
    const taken = new Promise<void>((resolve) => {
      void queue.consume(name, async () => {
        expect(await queue.isWaiting(name, { n: 1 })).toBe(false);
        resolve();
      });
    });
    await taken;
  });

  it('runs a job again when its handler fails', async () => {
    const name = `test-${newUlid()}`;
    let attempts = 0;
    const done = new Promise<void>((resolve) => {
      void queue.consume(name, async () => {
        attempts += 1;
        if (attempts === 1) throw new Error('first attempt fails');
        resolve();
      });
    });
    await queue.send(name, {});
    await done;
    expect(attempts).toBe(2);
  });
});
