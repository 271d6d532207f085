import { newUlid } from '@cleveragents/kernel';
import type { Task } from '@cleveragents/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AT_ONCE,
  callOf,
  HeldAgent,
  saying,
  sayingIn03,
  STRANGER,
  StreamReader,
  TaskPlatform,
  textOf,
  type Answer,
} from './task-platform.fixture.js';

let platform: TaskPlatform;

beforeAll(async () => {
  platform = await TaskPlatform.start({ A2A_BLOCKING_LIMIT: '200ms' });
});

afterAll(() => platform.stop());

const V1 = { versionHeader: '1.0' };
const idsOf = (task: Task | undefined) => task?.history?.map(({ messageId }) => messageId);
const reasonOf = ({ error }: Answer<unknown>) => error?.data?.reason;

async function countOf(table: string): Promise<number> {
  const [row] = await platform.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`);
  return Number(row?.n);
}

describe('a sent message', () => {
  it('answers the finished task, which reads the same from the database', async () => {
    const task = await platform.send(saying('echo: hello'));
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(task.artifacts?.[0]?.parts).toEqual([{ text: 'hello' }]);
    expect(task.history).toHaveLength(1);
    expect(await platform.get(task.id)).toEqual(task);
  });

  it('is accepted without text', async () => {
    const context = callOf();
    const parts = [{ data: { a: 1 } }, { raw: 'AAAA', filename: 'x.bin' }];
    const task = await platform.send(saying('', { parts }, AT_ONCE), context);
    expect(task.history?.[0]?.parts).toEqual(parts);
  });

  it('may hold megabytes and every character that JSON can', async () => {
    const text = `${'€ \u{1F600} " \\ \n'.repeat(200_000)}\0\u001F\uD800`;
    const task = await platform.send(saying(`ask: ${text}`));
    expect(task.status.message?.parts[0]?.text).toBe(text);
    expect(await platform.get(task.id)).toEqual(task);
  });

  it('is refused with the path of what is wrong, and nothing is stored', async () => {
    const tasks = await countOf('task');
    const { error } = await platform.rpc('SendMessage', saying('x', { contextId: 'a\u001Fb' }), V1);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('message.contextId') as string });
    const tenant = await platform.rpc('SendMessage', saying('x', {}, { tenant: 'a\u001Fb' }), V1);
    expect(tenant.error).toMatchObject({ code: -32602, message: expect.stringContaining('tenant') as string });
    expect(await countOf('task')).toBe(tasks);
  });

  it('in a namespace or under a key that makes no sense is refused, and nothing is stored', async () => {
    const tasks = await countOf('task');
    const refused: [object, string][] = [
      [{ tenant: '9lives' }, 'tenant'],
      [{ metadata: { namespace: 7 } }, 'metadata.namespace'],
      [{ metadata: { namespace: { name: 'local' } } }, 'metadata.namespace'],
      [{ metadata: { idempotencyKey: 7 } }, 'metadata.idempotencyKey'],
      [{ metadata: { idempotencyKey: '' } }, 'metadata.idempotencyKey'],
      [{ metadata: { idempotencyKey: 'k'.repeat(129) } }, 'metadata.idempotencyKey'],
    ];
    for (const [params, path] of refused) {
      const { error } = await platform.rpc('SendMessage', saying('x', {}, params), V1);
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(path) as string });
    }
    expect(await countOf('task')).toBe(tasks);
  });

  it('names its namespace without regard to case', async () => {
    const { id } = await platform.send(saying('echo: x', {}, { tenant: 'ACME-Team' }));
    expect(await platform.query('SELECT namespace FROM task WHERE id = $1', [id])).toEqual([
      { namespace: 'acme-team' },
    ]);
  });

  it('to a namespace that the caller may not see is refused as if there was none', async () => {
    const { error } = await platform.rpc('SendMessage', saying('x', {}, { tenant: 'acme' }), {
      ...V1,
      identity: STRANGER,
    });
    expect(error).toMatchObject({ code: -32001 });
  });

  it('gets a direct answer without a task where the agent gives one', async () => {
    const tasks = await countOf('task');
    const { text } = await platform.messages.send(saying('hi', { messageId: 'tck-message-response-1' }), callOf());
    expect(JSON.parse(text)).toMatchObject({ message: { role: 'ROLE_AGENT' } });
    expect(await countOf('task')).toBe(tasks);
  });

  it('leaves one audit record per transition, in the name of whoever caused it', async () => {
    const context = callOf();
    const { id } = await platform.send(saying('chunks: a|b'), context);
    const { correlationId } = context.origin;
    const rows = await platform.query(
      'SELECT event, user_identity, correlation_id FROM audit WHERE task_id = $1 ORDER BY id',
      [id],
    );
    const origin = { user_identity: 'local-owner', correlation_id: correlationId };
    const events = ['task_created', 'task_state_changed', 'task_state_changed'];
    expect(rows).toEqual(events.map((event) => ({ event, ...origin })));
  });
});

describe('a message to a task', () => {
  it('continues it when it waits for input', async () => {
    const asked = await platform.send(saying('ask: name?'));
    const done = await platform.send(saying('echo: Ada', { taskId: asked.id }));
    expect(done.id).toBe(asked.id);
    expect(done.status.state).toBe('TASK_STATE_COMPLETED');
    expect(done.history?.map((message) => message.parts[0]?.text)).toEqual(['ask: name?', 'name?', 'echo: Ada']);
    const rows = await platform.query<{ seq: number; frames: string }>(
      'SELECT seq, frames FROM task_event WHERE task_id = $1 ORDER BY seq',
      [asked.id],
    );
    expect(rows.at(-1)?.seq).toBe(rows.flatMap(({ frames }) => frames.split('\n')).length);
  });

  it('R06: leaves no trace when it is refused', async () => {
    const first = await platform.rpc('message/send', sayingIn03('ask: q?', { contextId: 'k-1' }));
    const taskId = first.result?.id;
    const before = await platform.rpc('tasks/get', { id: taskId, historyLength: 100 });

    const strayed = await platform.rpc('message/send', sayingIn03('x', { taskId, contextId: 'k-2', messageId: 'x-1' }));
    expect(strayed.error).toMatchObject({ code: -32602 });
    expect(JSON.stringify(strayed.error)).toContain('contextId');
    const empty = await platform.rpc(
      'message/send',
      sayingIn03('x', { taskId, contextId: 'k-1', messageId: 'x-2', parts: [] }),
    );
    expect(empty.error).toMatchObject({ code: -32602 });
    expect(JSON.stringify(empty.error)).toContain('parts');
    expect((await platform.rpc('tasks/get', { id: taskId, historyLength: 100 })).result).toEqual(before.result);

    const done = await platform.rpc('message/send', sayingIn03('echo: done', { taskId, messageId: 'x-3' }));
    expect(done.result).toMatchObject({ id: taskId, contextId: 'k-1' });
    const after = await platform.rpc('tasks/get', { id: taskId, historyLength: 100 });
    const mine = after.result?.history?.filter(({ messageId }) => messageId.startsWith('x-'));
    expect(mine).toMatchObject([{ messageId: 'x-3', contextId: 'k-1' }]);
  });

  it('is refused when the task is unknown, foreign or over', async () => {
    const { id } = await platform.send(saying('echo: x'));
    const unknown = await platform.rpc('SendMessage', saying('x', { taskId: 'no-such-task' }), V1);
    expect(unknown.error).toMatchObject({ code: -32001 });
    const foreign = await platform.rpc('SendMessage', saying('x', { taskId: id }), { ...V1, identity: STRANGER });
    expect(foreign.error).toMatchObject({ code: -32001 });
    const over = await platform.rpc('SendMessage', saying('x', { taskId: id }), V1);
    expect(over.error).toMatchObject({ code: -32004 });
    expect(reasonOf(await platform.rpc('message/send', sayingIn03('x', { taskId: id })))).toBe('UNSUPPORTED_OPERATION');
    expect(idsOf(await platform.get(id))).toHaveLength(1);
  });

  it('is refused while the task works, and the process forgets that it looked', async () => {
    const { id } = await platform.send(saying('slow: 60000', {}, AT_ONCE));
    expect(reasonOf(await platform.rpc('message/send', sayingIn03('x', { taskId: id })))).toBe('TASK_BUSY');
    await platform.tasks.cancel({ id }, callOf());
    await platform.rest(id);
    expect(platform.live.find(id)).toBeUndefined();
  });
});

describe('R08: many sends that race for one task', () => {
  it('start one run, and every other sender is told that the task is busy', async () => {
    const { id } = await platform.send(saying('ask: q?'));
    const sends = Array.from({ length: 20 }, (_, index) => {
      const message = { taskId: id, messageId: `r-${index}` };
      return platform.rpc('message/send', sayingIn03('slow: 20', message, { blocking: false }));
    });
    const answers = await Promise.all(sends);
    expect(answers.filter(({ result }) => result?.id === id)).toHaveLength(1);
    const refusals = answers.filter(({ error }) => error?.code === -32004).map(reasonOf);
    expect(refusals).toEqual(Array.from({ length: 19 }, () => 'TASK_BUSY'));
    const task = await platform.rest(id);
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(idsOf(task)?.filter((messageId) => messageId.startsWith('r-'))).toHaveLength(1);
    const rows = await platform.query<{ frames: string }>(
      'SELECT frames FROM task_event WHERE task_id = $1 ORDER BY seq',
      [id],
    );
    const states = rows
      .flatMap(({ frames }) => frames.split('\n'))
      .map((text) => /"state":"([A-Z_]+)"/.exec(text)?.[1]);
    expect(states.filter((state) => state === 'TASK_STATE_COMPLETED')).toHaveLength(1);
    expect(states.at(-1)).toBe('TASK_STATE_COMPLETED');
  });
});

describe('R10: an answer', () => {
  it.each([
    ['message/send', sayingIn03('slow: 60000', {}, { blocking: false }), {}],
    ['SendMessage', saying('slow: 60000', {}, AT_ONCE), V1],
  ])('of %s that does not wait names a task that can be found and canceled', async (method, params, caller) => {
    const { result } = await platform.rpc<Task & { task?: Task }>(method, params, caller);
    const task = result?.task ?? result;
    expect(task?.status.state).toMatch(/submitted|working|TASK_STATE_SUBMITTED|TASK_STATE_WORKING/);
    expect((await platform.rpc('tasks/get', { id: task?.id })).result?.id).toBe(task?.id);
    expect((await platform.rpc('tasks/cancel', { id: task?.id })).result?.status.state).toBe('canceled');
  });

  it('that waits comes at the limit, and the run goes on', async () => {
    const { result } = await platform.rpc('message/send', sayingIn03('slow: 600'));
    expect(result?.status.state).toBe('working');
    expect((await platform.rest(result?.id ?? '')).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('that waits comes as soon as the task needs input or credentials', async () => {
    expect((await platform.send(saying('ask: ok?'))).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect((await platform.send(saying('auth: who?'))).status.state).toBe('TASK_STATE_AUTH_REQUIRED');
  });

  it('nobody waits for any more leaves nothing behind', async () => {
    const leaving = new AbortController();
    const sent = platform.messages.send(saying('slow: 50'), callOf({ signal: leaving.signal }));
    leaving.abort();
    const { text } = await sent;
    const { task } = JSON.parse(text) as { task: Task };
    expect((await platform.rest(task.id)).status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('the history of an answer', () => {
  let id: string;

  beforeAll(async () => {
    ({ id } = await platform.send(saying('ask: 1')));
    // Two entries per turn: the message and the answer.
    for (let turn = 2; turn <= 60; turn += 1) await platform.send(saying(`ask: ${turn}`, { taskId: id }));
  });

  it('has the newest 50 messages, none, as many as asked for, or all there are', async () => {
    const lengths = async (asked?: number) => (await platform.get(id, asked)).history?.length;
    expect(await lengths()).toBe(50);
    expect(await lengths(0)).toBeUndefined();
    expect(await lengths(7)).toBe(7);
    expect(await lengths(119)).toBe(119);
    expect(await lengths(2 ** 31 - 1)).toBe(120);
    const newest = await platform.get(id, 1);
    expect(newest.history?.[0]?.parts[0]?.text).toBe('60');
  });

  it.each([-1, 1.5, '5'])('of length %j is refused on every method', async (historyLength) => {
    const inside = { ...saying('x'), configuration: { historyLength } };
    for (const [method, params] of [
      ['GetTask', { id, historyLength }],
      ['SendMessage', inside],
      ['ListTasks', { historyLength }],
    ] as const) {
      expect((await platform.rpc(method, params, V1)).error).toMatchObject({ code: -32602 });
    }
  });

  it('is as long as asked for in a send and in a stream as well', async () => {
    const configuration = { historyLength: 100 };
    const sent = await platform.send(saying('ask: 61', { taskId: id }, { configuration }));
    expect(sent.history).toHaveLength(100);
    const reader = new StreamReader(
      platform.messages.stream(saying('ask: 62', { taskId: id }, { configuration }), callOf()),
    );
    const [first] = await reader.ended;
    expect(first?.value().task?.history).toHaveLength(100);
    expect(first?.value().task?.history?.at(-1)?.parts[0]?.text).toBe('ask: 62');
    const none = await platform.send(saying('ask: 63', { taskId: id }, { configuration: { historyLength: 0 } }));
    expect(none.history).toBeUndefined();
  });
});

describe('R09: the same message sent again', () => {
  let agent: HeldAgent;

  beforeAll(() => {
    agent = new HeldAgent();
    platform.host(agent);
  });

  const copy = (messageId: string, text = 'work') => ({
    ...saying(text, { messageId }),
    ...AT_ONCE,
  });

  it('finds the task of a sender who left before the answer, and runs nothing again', async () => {
    const messageId = newUlid();
    const left = new AbortController();
    left.abort();
    const first = platform.messages.send(copy(messageId), callOf({ signal: left.signal }));
    const { message, configuration } = copy(messageId);
    const { parts, role } = message;
    const again = await platform.rpc<{ task: Task }>(
      'SendMessage',
      { configuration, message: { parts, messageId, role } },
      V1,
      'i2',
    );
    expect(again.id).toBe('i2');
    const { task } = JSON.parse((await first).text) as { task: Task };
    expect(again.result?.task.id).toBe(task.id);
    await agent.begun(1);

    const reader = new StreamReader(platform.messages.stream(copy(messageId), callOf()));
    const [snapshot] = await reader.seen(1);
    expect(snapshot?.value().task?.id).toBe(task.id);
    agent.end(task.id);
    expect((await reader.ended).at(-1)?.isLast).toBe(true);
    expect(agent.runs).toHaveLength(1);
  });

  it('is the same one as a stream and as a call of the older generation', async () => {
    const params = sayingIn03('work', {}, { blocking: false });
    const { result } = await platform.rpc('message/send', params);
    agent.end(result?.id ?? '');
    await platform.rest(result?.id ?? '');
    const frames = await platform.frames<Task>('message/stream', params);
    expect(frames.map((frame) => frame.result?.id)).toEqual([result?.id]);
  });

  it('with another payload is a new message, and of another caller another task', async () => {
    const messageId = newUlid();
    const first = await platform.send(copy(messageId));
    const changed = await platform.send(copy(messageId, 'other work'));
    const stranger = await platform.send(copy(messageId), callOf({ principal: STRANGER }));
    const { id } = await platform.send(copy(messageId), callOf({ principal: STRANGER }));
    expect(new Set([first.id, changed.id, stranger.id]).size).toBe(3);
    expect(id).toBe(stranger.id);
  });

  it('ten times at once makes one task and one run', async () => {
    const before = agent.runs.length;
    const messageId = newUlid();
    const tasks = await Promise.all(Array.from({ length: 10 }, () => platform.send(copy(messageId))));
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(1);
    await agent.begun(before + 1);
    agent.end(tasks[0]?.id ?? '');
    await platform.rest(tasks[0]?.id ?? '');
    expect(agent.runs).toHaveLength(before + 1);
  });

  it('under an explicit key is refused with another payload', async () => {
    const context = callOf({ idempotencyKey: newUlid() });
    const first = await platform.send(copy(newUlid()), context);
    const other = await platform.rpc('message/send', sayingIn03('other'), { idempotencyKey: context.idempotencyKey });
    expect(other.error).toMatchObject({ code: -32602 });
    expect(reasonOf(other)).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(JSON.stringify(other.error)).toContain('idempotencyKey');
    const metadata = { idempotencyKey: context.idempotencyKey };
    const inside = await platform.rpc('SendMessage', { ...copy(newUlid()), metadata }, V1);
    expect(inside.error).toMatchObject({ code: -32602 });
    expect(first.id).toBeDefined();
  });

  it('is known after a restart, to many at once, and runs nothing again', async () => {
    const messageId = newUlid();
    const task = await platform.send(copy(messageId));
    agent.end(task.id);
    await platform.rest(task.id);

    const restarted = await TaskPlatform.start({}, platform.database);
    try {
      const other = new HeldAgent(agent.name);
      restarted.host(other);
      const again = await Promise.all(Array.from({ length: 5 }, () => restarted.send(copy(messageId))));
      expect(new Set(again.map(({ id }) => id))).toEqual(new Set([task.id]));
      const reader = new StreamReader(restarted.messages.stream(copy(messageId), callOf()));
      expect((await reader.ended).map((event) => event.value().task?.id)).toEqual([task.id]);
      expect(other.runs).toEqual([]);
    } finally {
      await restarted.stop();
    }
  });

  it('to a task that works, waits or is over gets that task and runs nothing again', async () => {
    const other = await TaskPlatform.start({}, platform.database);
    try {
      const held = new HeldAgent();
      other.host(held);
      const { id } = await other.send(copy(newUlid()));
      await held.begun(1);
      held.end(id, 'TASK_STATE_INPUT_REQUIRED');
      await other.rest(id);
      await expect.poll(() => other.live.find(id)).toBeUndefined();

      const turn = { ...saying('go on', { taskId: id, messageId: newUlid() }), ...AT_ONCE };
      const at = await Promise.all(Array.from({ length: 5 }, () => other.rpc<{ task: Task }>('SendMessage', turn, V1)));
      expect(at.map(({ result }) => result?.task.id)).toEqual([id, id, id, id, id]);
      await held.begun(2);
      expect((await other.send(turn)).status.state).toBe('TASK_STATE_WORKING');
      held.end(id, 'TASK_STATE_INPUT_REQUIRED');
      await other.rest(id);
      expect((await other.send(turn)).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
      await other.tasks.cancel({ id }, callOf());
      expect((await other.send(turn)).status.state).toBe('TASK_STATE_CANCELED');
      expect(held.runs).toHaveLength(2);
      expect(idsOf(await other.get(id))?.filter((messageId) => messageId === turn.message.messageId)).toHaveLength(1);
      const changed = { ...turn, message: { ...turn.message, parts: [{ text: 'something else' }] } };
      expect((await other.rpc('SendMessage', changed, V1)).error).toMatchObject({ code: -32004 });
    } finally {
      await other.stop();
    }
  });

  it('a day later is a new message', async () => {
    const messageId = newUlid();
    const first = await platform.send(copy(messageId));
    agent.end(first.id);
    await platform.rest(first.id);
    await platform.query("UPDATE task SET created_at = created_at - interval '25 hours' WHERE id = $1", [first.id]);
    const second = await platform.send(copy(messageId));
    expect(second.id).not.toBe(first.id);
    expect((await platform.send(copy(messageId))).id).toBe(second.id);
  });
});

describe('a streamed message', () => {
  it('whose sender leaves before it is accepted gets its run all the same', async () => {
    const asked = await TaskPlatform.start({}, platform.database);
    try {
      const { id } = await asked.send(saying('ask: q?'));
      const reader = new StreamReader(asked.messages.stream(saying('slow: 1', { taskId: id }), callOf()));
      reader.leave();
      await expect.poll(async () => (await asked.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
      expect(asked.bus.observedTasks).toBe(0);
    } finally {
      await asked.stop();
    }
  });

  it('begins with the task, then gives every event once and in order', async () => {
    const other = await TaskPlatform.start({}, platform.database);
    try {
      const events = await new StreamReader(other.messages.stream(saying('stream:50'), callOf())).ended;
      expect(events).toHaveLength(53);
      expect(events[0]?.value().task?.status.state).toBe('TASK_STATE_SUBMITTED');
      expect(textOf(events)).toBe(Array.from({ length: 50 }, (_, index) => `chunk ${index} of 50`).join(''));
      expect(events.at(-1)?.isLast).toBe(true);
    } finally {
      await other.stop();
    }
  });
});
