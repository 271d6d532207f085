import { RunnerLease } from '@cleveragents/engine';
import { newUlid } from '@cleveragents/kernel';
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OrphanSweeper } from './orphan-sweeper.js';
import { TaskLostError } from './log/live-task.js';
import {
  AT_ONCE,
  callOf,
  HeldAgent,
  saying,
  sayingIn03,
  seqOf,
  StreamReader,
  TaskPlatform,
} from './task-platform.fixture.js';

/** The tests decide when hearts beat and sweeps run. */
const BY_HAND = { LEASE_SECONDS: '900s', HEARTBEAT_SECONDS: '300s', SWEEP_SECONDS: '3600s' };

let a: TaskPlatform;
let b: TaskPlatform;
let agent: HeldAgent;

beforeAll(async () => {
  a = await TaskPlatform.start(BY_HAND);
});

beforeEach(async () => {
  b = await TaskPlatform.start(BY_HAND, a.database);
  agent = new HeldAgent();
  a.host(agent);
});

afterEach(() => b.stop());
afterAll(() => a.stop());

const leaseOf = (platform: TaskPlatform) => platform.module.get(RunnerLease);

async function begun(): Promise<string> {
  const runs = agent.runs.length;
  const { id } = await a.send(saying('work', {}, AT_ONCE));
  await agent.begun(runs + 1);
  await a.live.find(id)?.settled();
  return id;
}

function silence(platform: TaskPlatform): Promise<unknown> {
  return platform.query("UPDATE runner SET heartbeat_at = now() - interval '1 hour' WHERE id = $1", [
    leaseOf(platform).id,
  ]);
}

async function statesOf(id: string): Promise<(string | undefined)[]> {
  const rows = await a.query<{ frames: string }>('SELECT frames FROM task_event WHERE task_id = $1 ORDER BY seq', [id]);
  return rows
    .flatMap(({ frames }) => frames.split('\n'))
    .map((text) => /"state":"TASK_STATE_([A-Z_]+)"/.exec(text)?.[1]);
}

describe('R21: the tasks of a runner that is silent for longer than its lease', () => {
  it('fail, readers elsewhere see it, and what the runner writes when it wakes is refused', async () => {
    const id = await begun();
    const reader = new StreamReader(b.streams.subscribe({ id }, callOf()));
    await reader.seen(1);
    await silence(a);
    await leaseOf(b).sweep();

    const last = (await reader.ended).at(-1)?.value().statusUpdate;
    expect(last).toMatchObject({ status: { state: 'TASK_STATE_FAILED' }, metadata: { reason: 'AGENT_LOST' } });
    const line = b.log.find(({ task_id: taskId }) => taskId === id);
    expect(last?.status.message?.parts[0]?.text).toContain(String(line?.correlation_id));

    const woken = a.live.find(id);
    agent.runs.at(-1)?.artifact({ artifactId: 'late', parts: [] });
    await expect(woken?.settled()).rejects.toBeInstanceOf(TaskLostError);
    expect(agent.runs.at(-1)?.signal.aborted).toBe(true);
    expect(agent.runs.at(-1)?.status('TASK_STATE_COMPLETED')).toBe(false);
    agent.leave(id);
    await expect.poll(() => a.live.find(id)).toBeUndefined();
    expect(await statesOf(id)).toEqual(['SUBMITTED', 'WORKING', 'FAILED']);
    expect((await b.get(id)).status.state).toBe('TASK_STATE_FAILED');
  });

  it('are lost to it as soon as it notices, and it goes on under another name', async () => {
    const id = await begun();
    const before = leaseOf(a).id;
    await silence(a);
    await leaseOf(b).sweep();
    await leaseOf(a).beat();
    expect(leaseOf(a).id).not.toBe(before);
    expect(agent.runs.at(-1)?.signal.aborted).toBe(true);
    expect(a.live.find(id)).toBeUndefined();
    agent.leave(id);

    const next = await begun();
    await leaseOf(b).sweep();
    agent.end(next);
    expect((await a.rest(next)).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('whose sender still waits are answered as they stand', async () => {
    const waiting = a.send(saying('work'));
    await agent.begun(1);
    const id = agent.runs.at(-1)?.taskId ?? '';
    await silence(a);
    await leaseOf(b).sweep();
    await leaseOf(a).beat();
    expect((await waiting).status.state).toBe('TASK_STATE_FAILED');
    agent.leave(id);
  });

  it('stay its own while its heart beats, and it never sweeps itself', async () => {
    const id = await begun();
    await silence(a);
    await leaseOf(a).sweep();
    await leaseOf(a).beat();
    await leaseOf(b).sweep();
    agent.end(id);
    await a.rest(id);
    expect(await statesOf(id)).toEqual(['SUBMITTED', 'WORKING', 'COMPLETED']);
  });
});

describe('R21: a restart after a kill', () => {
  it('ends what the process before left behind, at once', async () => {
    const id = await begun();
    // What is left of a process that is gone: its lease has not run out.
    const dead = newUlid();
    await a.query("INSERT INTO runner (id, host, process) SELECT $1, host, '4194000:1' FROM runner WHERE id = $2", [
      dead,
      leaseOf(a).id,
    ]);
    await a.query('UPDATE task SET runner = $1 WHERE id = $2', [dead, id]);
    const restarted = await TaskPlatform.start(BY_HAND, a.database);
    expect((await restarted.get(id)).status.state).toBe('TASK_STATE_FAILED');
    await restarted.stop();
    agent.leave(id);
  });
});

describe('a sweep', () => {
  it('touches no task that is taken in while it waits for the database', async () => {
    agent.end(await begun());
    const holders = Array.from({ length: 20 }, () => a.module.get(DataSource).createQueryRunner());
    const held = holders.map((holder) => holder.connect());
    await held[0];
    // Asks which tasks are held here, then has no connection to look with.
    const sweeping = a.module.get(OrphanSweeper).sweep();
    const id = await begun();
    const freed = holders.map(async (holder, index) => {
      await held[index];
      await holder.release();
    });
    await Promise.all(freed);
    await sweeping;
    expect((await a.get(id)).status.state).toBe('TASK_STATE_WORKING');
    agent.end(id);
    expect((await a.rest(id)).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('ends a task of this process whose commit was refused', async () => {
    const id = await begun();
    await a.query("UPDATE task SET runner = 'nobody' WHERE id = $1", [id]);
    agent.runs.at(-1)?.status('TASK_STATE_WORKING');
    await expect(a.live.find(id)?.settled()).rejects.toBeInstanceOf(TaskLostError);
    await a.query('UPDATE task SET runner = $2 WHERE id = $1', [id, leaseOf(a).id]);
    agent.leave(id);
    await expect.poll(() => a.live.find(id)).toBeUndefined();
    await leaseOf(a).sweep();
    expect(await statesOf(id)).toEqual(['SUBMITTED', 'WORKING', 'FAILED']);
  });

  it('stops a run whose task was canceled on another replica, and no other', async () => {
    b.host(new HeldAgent(agent.name));
    const [canceled, kept] = [await begun(), await begun()];
    await b.tasks.cancel({ id: canceled }, callOf());
    await leaseOf(a).sweep();
    expect(agent.runs.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    agent.leave(canceled);
    await expect.poll(() => a.live.find(canceled)).toBeUndefined();
    agent.end(kept);
    expect((await a.rest(kept)).status.state).toBe('TASK_STATE_COMPLETED');
    expect(await statesOf(canceled)).toEqual(['SUBMITTED', 'WORKING', 'CANCELED']);
  });

  it('leaves runs alone that move all the time', async () => {
    const reader = new StreamReader(b.messages.stream(saying('tick:100:1:0'), callOf()));
    const peace = new AbortController();
    const sweeping = (async () => {
      while (!peace.signal.aborted) await leaseOf(b).sweep();
    })();
    await reader.ended;
    peace.abort();
    await sweeping;
    expect(reader.events.at(-1)?.value().statusUpdate?.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('goes on behind a task that cannot be ended', async () => {
    const [broken, sound] = [await begun(), await begun()].toSorted();
    await a.query('UPDATE task_event SET frames = $2 WHERE task_id = $1 AND seq > 1', [broken, 'not json']);
    await silence(a);
    await leaseOf(b).sweep();
    expect((await b.get(sound ?? '')).status.state).toBe('TASK_STATE_FAILED');
    const failed = b.log.find(({ task_id: taskId }) => taskId === broken);
    expect(failed).toMatchObject({ level: 50, msg: 'A task that lost its agent cannot be ended' });
    await a.query('DELETE FROM task WHERE id = $1', [broken]);
    await leaseOf(a).beat();
    for (const { taskId } of agent.runs) agent.leave(taskId);
  });

  it('by two processes at once ends each task once', async () => {
    const ids = [await begun(), await begun(), await begun()];
    await silence(a);
    const other = await TaskPlatform.start(BY_HAND, a.database);
    await Promise.all([leaseOf(b).sweep(), leaseOf(other).sweep()]);
    for (const id of ids) expect((await statesOf(id)).filter((state) => state === 'FAILED')).toHaveLength(1);
    await other.stop();
    await leaseOf(a).beat();
    for (const { taskId } of agent.runs) agent.leave(taskId);
  });
});

describe('two replicas', () => {
  it('R10: on the other one a task that works can be found and canceled, and its runner is refused', async () => {
    b.host(new HeldAgent(agent.name));
    const id = await begun();
    expect((await b.get(id)).status.state).toBe('TASK_STATE_WORKING');
    expect((await b.rpc('tasks/cancel', { id })).result?.status.state).toBe('canceled');
    agent.end(id);
    await expect.poll(() => a.live.find(id)).toBeUndefined();
    expect(agent.runs.at(-1)?.signal.aborted).toBe(true);
    expect(await statesOf(id)).toEqual(['SUBMITTED', 'WORKING', 'CANCELED']);
  });

  it('R08: that get many messages for one task start one run', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await b.send(saying('ask: q?'));
      const sends = Array.from({ length: 20 }, (_, index) => {
        const params = sayingIn03('slow: 30', { taskId: id, messageId: `r-${index}` }, { blocking: false });
        return (index % 2 === 0 ? a : b).rpc('message/send', params);
      });
      const answers = await Promise.all(sends);
      expect(answers.filter(({ result }) => result?.id === id)).toHaveLength(1);
      const refusals = answers.flatMap(({ error }) => (error === undefined ? [] : [[error.code, error.data?.reason]]));
      expect(refusals).toEqual(Array.from({ length: 19 }, () => [-32004, 'TASK_BUSY']));
      await expect.poll(async () => (await a.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
      expect(await statesOf(id)).toEqual(['SUBMITTED', 'INPUT_REQUIRED', 'WORKING', 'WORKING', 'COMPLETED']);
      const { history } = await a.get(id, 100);
      expect(history?.filter(({ messageId }) => messageId.startsWith('r-'))).toHaveLength(1);
      await expect.poll(() => [a.live.find(id), b.live.find(id)]).toEqual([undefined, undefined]);
    }
  });

  it('R09: that get the same message run it once', async () => {
    const twin = new HeldAgent(agent.name);
    b.host(twin);
    const params = saying('work', {}, AT_ONCE);
    const tasks = await Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? a : b).send(params)));
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(1);
    expect(agent.runs.length + twin.runs.length).toBe(1);
    for (const one of [agent, twin]) one.end(tasks[0]?.id ?? '');
  });

  it('give the same events to readers of either after the end', async () => {
    const { id } = await a.send(saying('work', {}, AT_ONCE));
    await agent.begun(1);
    agent.runs.at(-1)?.artifact({ artifactId: 'a', parts: [{ text: 'x' }] });
    agent.end(id);
    await a.rest(id);
    const replayed = (platform: TaskPlatform) =>
      new StreamReader(platform.streams.subscribe({ id }, callOf({ lastEventId: `${id.slice(0, 8)}-1` }))).ended;
    const [onA, onB] = [await replayed(a), await replayed(b)];
    expect(onA.map(seqOf)).toEqual([1, 2, 3, 4]);
    expect(onB.map(({ text }) => text)).toEqual(onA.map(({ text }) => text));
  });
});
