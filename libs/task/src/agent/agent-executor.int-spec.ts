import { newUlid } from '@cleveragents/kernel';
import type { Task, TaskStatusUpdate } from '@cleveragents/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AT_ONCE,
  callOf,
  HeldAgent,
  saying,
  sayingIn03,
  StreamReader,
  TaskPlatform,
  type Answer,
} from '../task-platform.fixture.js';
import { AgentHost } from './agent-host.js';

let platform: TaskPlatform;

beforeAll(async () => {
  platform = await TaskPlatform.start({ SHUTDOWN_GRACE_SECONDS: '400ms' });
});

afterAll(() => platform.stop());

const SECRET = /s3cret|postgres:|at .*\.ts|Error/;

describe('R14: an agent that blows up', () => {
  it('ends its stream with a failure that names the correlation id alone', async () => {
    const correlationId = newUlid();
    const frames: Answer<Task & TaskStatusUpdate>[] = await platform.frames(
      'message/stream',
      sayingIn03('throw-after: 2 chunks'),
      { correlationId },
    );
    const kinds = frames.map(({ result }) => (result as unknown as { kind: string }).kind);
    expect(kinds).toEqual(['task', 'status-update', 'artifact-update', 'artifact-update', 'status-update']);
    const last = frames.at(-1)?.result;
    expect(last).toMatchObject({ final: true, status: { state: 'failed' }, metadata: { reason: 'AGENT_FAILED' } });
    expect(JSON.stringify(last?.status.message)).toContain(correlationId);
    expect(JSON.stringify(frames)).not.toMatch(SECRET);
    const line = platform.log.find((entry) => entry.correlation_id === correlationId && entry.level === 50);
    expect(JSON.stringify(line)).toContain('s3cret');
    expect(line).toMatchObject({ task_id: frames[0]?.result?.id });
  });

  it('answers a failed task', async () => {
    const task = await platform.send(saying('throw-now'));
    expect(task.status.state).toBe('TASK_STATE_FAILED');
    expect(JSON.stringify(await platform.get(task.id))).not.toMatch(SECRET);
  });

  it('fails when it ends without a result', async () => {
    const reader = new StreamReader(platform.messages.stream(saying('return-early'), callOf()));
    const last = (await reader.ended).at(-1)?.value().statusUpdate;
    expect(last).toMatchObject({ status: { state: 'TASK_STATE_FAILED' }, metadata: { reason: 'NO_RESULT' } });
    expect(last?.status.message?.parts[0]?.text).toContain('ended without a result');
  });

  it('after its task is over changes nothing', async () => {
    const agent = new HeldAgent();
    platform.host(agent);
    const { id } = await platform.send(saying('x', {}, AT_ONCE));
    await agent.begun(1);
    const [run] = agent.runs;
    expect(run?.status('TASK_STATE_COMPLETED')).toBe(true);
    const done = await platform.rest(id);
    expect(run?.status('TASK_STATE_FAILED')).toBe(false);
    expect(run?.artifact({ artifactId: 'late', parts: [] })).toBe(false);
    agent.leave(id);
    expect(await platform.rest(id)).toEqual(done);
    expect(await platform.get(id)).toEqual(done);
  });

  it('by appending to an artifact that it closed fails', async () => {
    const agent = new HeldAgent();
    platform.host(agent);
    const { id } = await platform.send(saying('x', {}, AT_ONCE));
    await agent.begun(1);
    const piece = { artifactId: 'a', parts: [{ text: 'x' }] };
    agent.runs[0]?.artifact(piece, { lastChunk: true });
    expect(() => agent.runs[0]?.artifact(piece, { append: true })).toThrow('closed by its last chunk');
    agent.end(id);
    expect((await platform.rest(id)).artifacts).toEqual([piece]);
  });
});

describe('a run', () => {
  it('that touches the world does not begin when its task was canceled before', async () => {
    const agent = new HeldAgent();
    platform.host(agent);
    const context = callOf();
    const sent = platform.send(saying('x', {}, AT_ONCE), context);
    await Promise.resolve();
    const [id = ''] = platform.live.ids().slice(-1);
    // Taken in, but not durable yet: the run waits for that.
    const task = platform.live.find(id);
    task?.apply([{ kind: 'status', state: 'TASK_STATE_CANCELED' }], context.origin);
    await sent;
    expect((await platform.rest(id)).status.state).toBe('TASK_STATE_CANCELED');
    expect(agent.runs).toEqual([]);
  });

  it('is told when its task is canceled', async () => {
    const agent = new HeldAgent();
    platform.host(agent);
    const { id } = await platform.send(saying('x', {}, AT_ONCE));
    await agent.begun(1);
    await platform.tasks.cancel({ id }, callOf());
    expect(agent.runs[0]?.signal.aborted).toBe(true);
    agent.leave(id);
    expect((await platform.rest(id)).status.state).toBe('TASK_STATE_CANCELED');
    await expect.poll(() => platform.live.find(id)).toBeUndefined();
  });

  it('that is over leaves nothing in memory', async () => {
    const before = platform.live.size;
    const idle = await TaskPlatform.start({}, platform.database);
    try {
      await Promise.all(Array.from({ length: 50 }, () => idle.send(saying('chunks: a|b'))));
      await expect.poll(() => idle.live.size).toBe(0);
      expect(idle.bus.observedTasks).toBe(0);
    } finally {
      await idle.stop();
    }
    expect(platform.live.size).toBe(before);
  });
});

describe('a shutdown', () => {
  const GRACE = { SHUTDOWN_GRACE_SECONDS: '4s' };

  async function closed(own: TaskPlatform): Promise<string[]> {
    await own.module.close();
    return own.log.filter(({ level }) => Number(level) >= 40).map(({ msg }) => String(msg));
  }

  it('lets a run end within the grace period', async () => {
    const own = await TaskPlatform.start(GRACE, platform.database);
    const { id } = await own.send(saying('slow: 100', {}, AT_ONCE));
    expect(await closed(own)).toEqual([]);
    expect((await platform.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('fails what is left after it, and answers whoever waits', async () => {
    const own = await TaskPlatform.start({ SHUTDOWN_GRACE_SECONDS: '100ms' }, platform.database);
    const waiting = own.send(saying('slow: 60000'));
    await expect.poll(() => own.live.size).toBe(1);
    expect(await closed(own)).toEqual([]);
    const task = await waiting;
    expect(task.status.state).toBe('TASK_STATE_FAILED');
    expect(task.status.message?.parts[0]?.text).toContain('The server was shut down');
    const [event] = await platform.query<{ frames: string }>(
      'SELECT frames FROM task_event WHERE task_id = $1 ORDER BY seq DESC LIMIT 1',
      [task.id],
    );
    expect(event?.frames).toContain('"reason":"AGENT_LOST"');
  });

  it('does not wait for an agent that ignores its abort', async () => {
    const own = await TaskPlatform.start({ SHUTDOWN_GRACE_SECONDS: '100ms' }, platform.database);
    const agent = new HeldAgent();
    own.host(agent);
    const { id } = await own.send(saying('x', {}, AT_ONCE));
    await agent.begun(1);
    await own.stop();
    expect(agent.runs[0]?.signal.aborted).toBe(true);
    expect((await platform.get(id)).status.state).toBe('TASK_STATE_FAILED');
  });

  it('takes nothing new', async () => {
    const own = await TaskPlatform.start(GRACE, platform.database);
    const { id } = await own.send(saying('ask: q?'));
    await own.send(saying('slow: 200', {}, AT_ONCE));
    const draining = own.module.get(AgentHost).beforeApplicationShutdown();
    for (const message of [{}, { taskId: id }]) {
      const { error } = await own.rpc('message/send', sayingIn03('echo: x', message));
      expect(error).toMatchObject({ code: -32603, data: { reason: 'NOT_AVAILABLE' } });
    }
    await draining;
    await own.stop();
  });

  it('ends the lease of its runner and nobody else', async () => {
    const own = await TaskPlatform.start({}, platform.database);
    const alive = 'SELECT id FROM runner WHERE ended_at IS NULL';
    expect(await platform.query(alive)).toHaveLength(2);
    await own.stop();
    expect(await platform.query(alive)).toHaveLength(1);
  });
});
