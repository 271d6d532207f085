import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OverdueSweeper } from './overdue-sweeper.js';
import { AT_ONCE, HeldAgent, saying, TaskPlatform } from './task-platform.fixture.js';

/** The tests decide when hearts beat and sweeps run. */
const BY_HAND = { LEASE_SECONDS: '900s', HEARTBEAT_SECONDS: '300s', SWEEP_SECONDS: '3600s', A2A_WORKING_LIMIT: '30m' };

let platform: TaskPlatform;
let other: TaskPlatform;
let agent: HeldAgent;

beforeAll(async () => {
  platform = await TaskPlatform.start(BY_HAND);
  other = await TaskPlatform.start(BY_HAND, platform.database);
});

beforeEach(() => {
  agent = new HeldAgent();
  platform.host(agent);
});

afterEach(() => agent.runs.forEach(({ taskId }) => agent.leave(taskId)));

afterAll(async () => {
  await other.stop();
  await platform.stop();
});

async function begun(): Promise<string> {
  const runs = agent.runs.length;
  const { id } = await platform.send(saying('work', {}, AT_ONCE));
  await agent.begun(runs + 1);
  await platform.live.find(id)?.settled();
  return id;
}

async function standStill(id: string): Promise<void> {
  const past = "now() - interval '31 minutes'";
  await platform.query(`UPDATE task SET status_at = ${past}, progress_at = ${past} WHERE id = $1`, [id]);
}

const sweep = (on = platform) => on.module.get(OverdueSweeper).sweep();
const alarms = (id: string) =>
  platform.query<{ outcome: string; user_identity: string }>(
    "SELECT outcome, user_identity FROM audit WHERE event = 'task_overdue' AND task_id = $1",
    [id],
  );

describe('a task in work without an event for too long', () => {
  it('is canceled, its run is stopped, and an alarm is raised once', async () => {
    const id = await begun();
    await standStill(id);
    await sweep();
    const task = await platform.rest(id);
    expect(task.status.state).toBe('TASK_STATE_CANCELED');
    expect(agent.runs[0]?.signal.aborted).toBe(true);
    const [event] = await platform.query<{ frames: string }>(
      'SELECT frames FROM task_event WHERE task_id = $1 ORDER BY seq DESC LIMIT 1',
      [id],
    );
    expect(event?.frames).toContain('"reason":"WORKING_LIMIT"');
    await sweep();
    expect(await alarms(id)).toEqual([{ outcome: 'failed', user_identity: 'system' }]);
    const lines = platform.log.filter(({ task_id, level }) => task_id === id && level === 50);
    expect(lines).toEqual([expect.objectContaining({ msg: expect.stringContaining('no progress') as string })]);
  });

  it('is found by every replica and noted by one', async () => {
    other.host(new HeldAgent(agent.name));
    const ids = [await begun(), await begun()];
    for (const id of ids) await standStill(id);
    await Promise.all([sweep(), sweep(other)]);
    for (const id of ids) {
      expect((await platform.get(id)).status.state).toBe('TASK_STATE_CANCELED');
      expect(await alarms(id)).toHaveLength(1);
    }
  });
});

describe('a task', () => {
  it('that wrote an artifact meanwhile is left alone', async () => {
    const id = await begun();
    await standStill(id);
    agent.runs[0]?.artifact({ artifactId: 'a', parts: [{ text: 'x' }] });
    await platform.live.find(id)?.settled();
    await sweep();
    expect((await platform.get(id)).status.state).toBe('TASK_STATE_WORKING');
  });

  it('that waits for its client is left alone, for however long', async () => {
    const id = await begun();
    agent.end(id, 'TASK_STATE_INPUT_REQUIRED');
    await platform.rest(id);
    await standStill(id);
    await sweep();
    expect((await platform.get(id)).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(await alarms(id)).toEqual([]);
  });
});
