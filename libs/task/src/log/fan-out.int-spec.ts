import { RunnerLease } from '@cleveragents/engine';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  AT_ONCE,
  callOf,
  HeldAgent,
  saying,
  seqOf,
  StreamReader,
  TaskPlatform,
  textOf,
} from '../task-platform.fixture.js';

/** No sweep and no heartbeat helps: what is shown is done by signals and by the look at what is read. */
const BY_HAND = { LEASE_SECONDS: '900s', HEARTBEAT_SECONDS: '300s', SWEEP_SECONDS: '3600s' };

const CHANNEL = 'cleveragents_wake_up';
const LAST = 'the last one';

let a: TaskPlatform;
let b: TaskPlatform;
let agent: HeldAgent;

beforeEach(async () => {
  a = await TaskPlatform.start(BY_HAND);
  b = await TaskPlatform.start(BY_HAND, a.database);
  await expect.poll(() => a.module.get(RunnerLease).hasNeighbours).toBe(true);
  agent = new HeldAgent();
  a.host(agent);
  b.host(new HeldAgent(agent.name));
});

afterEach(async () => {
  await b.stop();
  await a.stop();
});

/** A task that works on A. */
async function begun(): Promise<string> {
  const { id } = await a.send(saying('work', {}, AT_ONCE));
  await agent.begun(1);
  await a.live.find(id)?.settled();
  return id;
}

function write(text: string, append: boolean): void {
  agent.runs.at(-1)?.artifact({ artifactId: 'a', parts: [{ text }] }, { append });
}

function readerOn(platform: TaskPlatform, id: string): StreamReader {
  return new StreamReader(platform.streams.subscribe({ id }, callOf()));
}

/** How many signals about grown logs `work` caused, as any session on the database hears them: at least so many. */
async function signalsOf(work: () => Promise<unknown>, atLeast: number): Promise<number> {
  const session = new Client({ connectionString: a.database.url });
  await session.connect();
  await session.query(`LISTEN ${CHANNEL}`);
  let count = 0;
  const end = new Promise<void>((resolve) => {
    session.on('notification', ({ payload = '' }) => {
      if (payload.startsWith('task-log:')) count += 1;
      if (payload === LAST) resolve();
    });
  });
  await work();
  // They follow the commits.
  await expect.poll(() => count).toBeGreaterThanOrEqual(atLeast);
  await a.query('SELECT pg_notify($1, $2)', [CHANNEL, LAST]);
  await end;
  await session.end();
  return count;
}

async function cutWakeUp(): Promise<void> {
  await a.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'cleveragents wake-up' AND datname = current_database()`,
  );
}

describe('a task that another server runs', () => {
  it('is read as where it runs: every event once, in order, to the same end', async () => {
    const id = await begun();
    const readers = [readerOn(a, id), readerOn(b, id)];
    await Promise.all(readers.map((reader) => reader.seen(1)));
    for (const [index, text] of ['1', '2', '3', '4'].entries()) {
      write(text, index > 0);
      await a.live.find(id)?.settled();
    }
    agent.end(id);
    const [onA = [], onB = []] = await Promise.all(readers.map((reader) => reader.ended));
    expect(onB.map(({ text }) => text)).toEqual(onA.map(({ text }) => text));
    expect(onB.map(seqOf)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(textOf(onB)).toBe('1234');
    expect(onB.at(-1)?.isLast).toBe(true);
  });

  it('loses no event to its readers when the wake-up channel is cut and restored', async () => {
    const id = await begun();
    const reader = readerOn(b, id);
    await reader.seen(1);
    await cutWakeUp();
    write('1', false);
    await a.live.find(id)?.settled();
    await reader.seen(2);
    write('2', true);
    agent.end(id);
    expect(textOf(await reader.ended)).toBe('12');
    expect(reader.events.map(seqOf)).toEqual([2, 3, 4, 5]);
  });

  it('is waited for: by a sender whose message it came from, and by whoever watches it', async () => {
    const message = saying('work');
    const sent = a.send(message);
    await agent.begun(1);
    const twin = b.send(message);
    await expect.poll(() => b.bus.observedTasks).toBe(1);
    agent.end(agent.runs[0]?.taskId ?? '');
    expect((await twin).status.state).toBe('TASK_STATE_COMPLETED');
    expect((await twin).id).toBe((await sent).id);
  });

  it('R20: is canceled from there: its run stops, its readers everywhere see that as the last event', async () => {
    const id = await begun();
    const readers = [readerOn(a, id), readerOn(b, id)];
    await Promise.all(readers.map((reader) => reader.seen(1)));
    expect((await b.rpc('tasks/cancel', { id })).result?.status.state).toBe('canceled');
    await expect.poll(() => agent.runs.at(-1)?.signal.aborted).toBe(true);
    for (const { ended } of readers) {
      const events = await ended;
      expect(events.at(-1)?.value().statusUpdate?.status.state).toBe('TASK_STATE_CANCELED');
    }
    expect(agent.runs.at(-1)?.status('TASK_STATE_COMPLETED')).toBe(false);
    expect((await b.rpc('tasks/cancel', { id })).error?.code).toBe(-32002);
    agent.leave(id);
  });
});

describe('a task that several servers take turns on', () => {
  it('is read anew by each', async () => {
    const turns = new HeldAgent();
    for (const platform of [a, b]) platform.host(turns);
    const { id } = await a.send(saying('first', {}, AT_ONCE));
    for (const [index, platform] of [b, a, b, a].entries()) {
      await turns.begun(index + 1);
      turns.end(id, 'TASK_STATE_INPUT_REQUIRED');
      await expect.poll(async () => (await platform.get(id)).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
      await expect.poll(() => [a.live.find(id), b.live.find(id)]).toEqual([undefined, undefined]);
      await platform.send(saying(`turn ${index}`, { taskId: id }, AT_ONCE));
    }
    await turns.begun(5);
    turns.end(id);
    await expect.poll(async () => (await b.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
    const { history = [] } = await b.get(id, 100);
    expect(history.flatMap(({ parts }) => parts.map(({ text }) => text))).toEqual([
      'first',
      'turn 0',
      'turn 1',
      'turn 2',
      'turn 3',
    ]);
  });

  it('takes one message that both get at the same time once, and answers both senders', async () => {
    const turns = new HeldAgent();
    for (const platform of [a, b]) platform.host(turns);
    for (let round = 1; round <= 5; round += 1) {
      const { id } = await a.send(saying('first', {}, AT_ONCE));
      turns.end(id, 'TASK_STATE_INPUT_REQUIRED');
      await a.rest(id);
      const turn = saying('next', { taskId: id }, AT_ONCE);
      const tasks = await Promise.all([a, b, a, b].map((platform) => platform.send(turn)));
      expect(tasks.map((task) => task.id)).toEqual([id, id, id, id]);
      const { history = [] } = await b.get(id, 100);
      expect(history).toHaveLength(2);
      for (const run of turns.runs) if (run.taskId === id) run.status('TASK_STATE_COMPLETED');
      turns.leave(id);
      await expect.poll(async () => (await a.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
    }
  });
});

describe('signals about grown logs', () => {
  const ECHOES = 300;

  async function echoes(platform: TaskPlatform): Promise<void> {
    await Promise.all(Array.from({ length: ECHOES }, (_, index) => platform.send(saying(`echo: ${index}`))));
  }

  it('are few, however many commits there are', async () => {
    const scripted = await TaskPlatform.start(BY_HAND, a.database);
    const commits: string[] = [];
    scripted.bus.commits.subscribe((id) => commits.push(id));
    const signals = await signalsOf(() => echoes(scripted), 1);
    expect(commits.length).toBeGreaterThanOrEqual(ECHOES);
    expect(signals).toBeLessThan(ECHOES / 4);
    await scripted.stop();
  });

  it('are not given by a server that is alone on its database', async () => {
    const alone = await TaskPlatform.start(BY_HAND, a.database);
    await a.query('UPDATE runner SET ended_at = now() WHERE id <> $1', [alone.module.get(RunnerLease).id]);
    await alone.module.get(RunnerLease).beat();
    expect(await signalsOf(() => echoes(alone), 0)).toBe(0);
    await alone.stop();
  });
});
