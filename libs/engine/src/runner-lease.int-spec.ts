import type { TestingModule } from '@nestjs/testing';
import { newUlid } from '@cleveragents/kernel';
import { createLogger, LoggingModule } from '@cleveragents/observability';
import { TestDatabase } from '@cleveragents/testing';
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EngineModule } from './engine.module.js';
import { processHost, processIdentity } from './process-identity.js';
import { RunnerLease } from './runner-lease.js';

/** The tests decide when hearts beat and sweeps run. */
const BY_HAND = { LEASE_SECONDS: '900s', HEARTBEAT_SECONDS: '300s', SWEEP_SECONDS: '3600s' };

interface Line {
  readonly level: number;
  readonly msg: string;
}

let database: TestDatabase;
let module: TestingModule;
let lease: RunnerLease;
let lines: Line[];

beforeAll(async () => {
  database = await TestDatabase.create();
});

beforeEach(async () => {
  module = await started(BY_HAND);
  lease = module.get(RunnerLease);
});

afterEach(() => module.close());
afterAll(() => database.drop());

async function started(variables: Record<string, string>): Promise<TestingModule> {
  lines = [];
  const write = (text: string) => void lines.push(JSON.parse(text) as Line);
  const logging = LoggingModule.forRoot(createLogger({ level: 'debug', pretty: false }, { write }));
  const own = await database.module({ imports: [logging, EngineModule] }, variables).compile();
  await own.init();
  return own;
}

function query<T>(text: string, values: unknown[] = []): Promise<T[]> {
  return module.get(DataSource).query(text, values);
}

async function isAlive(id: string): Promise<boolean> {
  return (await query('SELECT id FROM runner WHERE id = $1 AND ended_at IS NULL', [id])).length > 0;
}

async function neighbour(members: { host?: string; process?: string; silentFor?: string } = {}): Promise<string> {
  const id = newUlid();
  const { host = 'another host', process = processIdentity(), silentFor = '0 s' } = members;
  await query(`INSERT INTO runner (id, host, process, heartbeat_at) VALUES ($1, $2, $3, now() - $4::interval)`, [
    id,
    host,
    process,
    silentFor,
  ]);
  return id;
}

describe('the lease of a runner', () => {
  it('stands in the database from the start to the end of the application', async () => {
    expect(await isAlive(lease.id)).toBe(true);
    const own = await started(BY_HAND);
    const { id } = own.get(RunnerLease);
    await own.close();
    expect(await isAlive(id)).toBe(false);
    expect(await isAlive(lease.id)).toBe(true);
  });

  it('is lost when somebody ended it, and another one takes its place before anybody hears of it', async () => {
    const before = lease.id;
    const heard: string[] = [];
    lease.lost.subscribe(() => heard.push(lease.id));
    await lease.beat();
    expect(lease.id).toBe(before);
    await query('UPDATE runner SET ended_at = now() WHERE id = $1', [before]);
    await lease.beat();
    expect(heard).toEqual([lease.id]);
    expect(lease.id).not.toBe(before);
    expect(await isAlive(lease.id)).toBe(true);
    await lease.beat();
    expect(heard).toHaveLength(1);
  });

  it('of a neighbour that is silent for too long ends, its own never by its own hand', async () => {
    const silent = await neighbour({ silentFor: '901 s' });
    const quiet = await neighbour({ silentFor: '800 s' });
    await query(`UPDATE runner SET heartbeat_at = now() - interval '1 day' WHERE id = $1`, [lease.id]);
    await lease.sweep();
    expect([await isAlive(silent), await isAlive(quiet), await isAlive(lease.id)]).toEqual([false, true, true]);
  });

  it('that ended long ago is forgotten', async () => {
    const old = await neighbour();
    await query(`UPDATE runner SET ended_at = now() - interval '8 days' WHERE id = $1`, [old]);
    await lease.sweep();
    expect(await query('SELECT id FROM runner WHERE id = $1', [old])).toEqual([]);
  });

  it('knows whether others work on the same database: of a new one at once, of one that left by the next heartbeat', async () => {
    await query('UPDATE runner SET ended_at = now() WHERE id <> $1 AND ended_at IS NULL', [lease.id]);
    await lease.beat();
    expect(lease.hasNeighbours).toBe(false);
    const other = await started(BY_HAND);
    expect(other.get(RunnerLease).hasNeighbours).toBe(true);
    await expect.poll(() => lease.hasNeighbours).toBe(true);
    await other.close();
    await lease.beat();
    expect(lease.hasNeighbours).toBe(false);
  });
});

describe('a start', () => {
  it('ends the leases of processes of this host that are gone, and no others', async () => {
    const gone = { process: '4194000:1' };
    const dead = await neighbour({ ...gone, host: processHost() });
    const alive = await neighbour({ host: processHost() });
    const elsewhere = await neighbour(gone);
    const own = await started(BY_HAND);
    expect([await isAlive(dead), await isAlive(alive), await isAlive(elsewhere)]).toEqual([false, true, true]);
    await own.close();
  });
});

describe('a sweep', () => {
  it('does all the work that is registered, whatever fails', async () => {
    const done: string[] = [];
    lease.addSweep(async () => {
      throw new Error('no luck');
    });
    lease.addSweep(async () => void done.push('second'));
    await lease.sweep();
    expect(done).toEqual(['second']);
    expect(lines).toContainEqual(expect.objectContaining({ level: 50, msg: 'A sweep failed' }));
  });
});

describe('upkeep', () => {
  it('goes on by itself, and a heartbeat under way at the end is no lost lease', async () => {
    for (let round = 0; round < 10; round += 1) {
      const own = await started({ LEASE_SECONDS: '1s', HEARTBEAT_SECONDS: '1ms', SWEEP_SECONDS: '1ms' });
      let sweeps = 0;
      await new Promise<void>((resolve) => {
        own.get(RunnerLease).addSweep(async () => {
          sweeps += 1;
          if (sweeps === 3) resolve();
        });
      });
      await own.close();
      expect(lines.filter(({ level }) => level >= 40)).toEqual([]);
    }
    const alive = await query(`SELECT id FROM runner WHERE ended_at IS NULL AND host = $1`, [processHost()]);
    expect(alive.length).toBeLessThanOrEqual(3);
  });
});
