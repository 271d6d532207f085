import { randomUUID } from 'node:crypto';
import { mintToken } from '@cleveragents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentUnderTest, type Headers } from './agent-under-test.js';
import type { EventStream, StreamedAnswer } from './event-stream.js';
import type { JsonRpcAnswer } from './json-rpc-answer.js';

let agent: AgentUnderTest;
let owner: Headers;
let stranger: Headers;

beforeAll(async () => {
  agent = await AgentUnderTest.start({ A2A_ANONYMOUS: 'off', A2A_MESSAGE_DEDUPE: 'on' });
  owner = { Authorization: `Bearer ${agent.process.token}` };
  stranger = { Authorization: `Bearer ${await mintToken(agent.database.dataDir, 'stranger', {})}` };
});

afterAll(() => agent.stop());

interface Task {
  readonly id: string;
  readonly status: { readonly state: string; readonly timestamp: string };
}

/** The names of one operation, with the spelling of a message and the place of the task in the answer. */
const SENDS = [
  { send: 'message/send', stream: 'message/stream', is10: false },
  { send: 'SendMessage', stream: 'SendStreamingMessage', is10: true },
] as const;
type Names = (typeof SENDS)[number];

function paramsOf({ is10 }: Names, text: string, message: object = {}): object {
  const parts = [is10 ? { text } : { kind: 'text', text }];
  const role = is10 ? 'ROLE_USER' : 'user';
  const configuration = is10 ? { returnImmediately: true } : { blocking: false };
  return { message: { messageId: randomUUID(), role, parts, ...message }, configuration };
}

function taskIn({ result }: JsonRpcAnswer): Task {
  const answer = result as Task & { readonly task?: Task };
  return answer.task ?? answer;
}

async function send(names: Names, params: object, headers: Headers = owner): Promise<Task> {
  const answer = await agent.call(names.send, params, headers);
  expect(answer.error).toBeUndefined();
  return taskIn(answer);
}

const cancel = (id: string) => agent.call('tasks/cancel', { id }, owner);

describe.each(SENDS)('R09: the same message sent again by $send', (names) => {
  const again = (text: string) => paramsOf(names, text, { messageId: randomUUID() });

  it('finds the task although the first answer never arrived', async () => {
    const contextId = randomUUID();
    const params = paramsOf(names, 'slow: 60000', { contextId });
    const lost = new AbortController();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'i1', method: names.send, params });
    const headers = { ...owner, 'Content-Type': 'application/json' };
    const sent = fetch(agent.url, { method: 'POST', body, headers, signal: lost.signal });
    await expect.poll(async () => (await tasksIn(contextId)).length).toBe(1);
    lost.abort();
    await sent.then((response) => response.body?.cancel()).catch(() => undefined);
    const { id } = await send(names, reordered(params));
    expect(await tasksIn(contextId)).toEqual([id]);
    await cancel(id);
  });

  it('streams the task that the first one made', async () => {
    const params = again('chunks: a|b every 50');
    const { id } = await send(names, params);
    const stream = await agent.open(names.stream, params, owner);
    const [first] = await stream.rest();
    expect(taskIn(first?.answer as JsonRpcAnswer).id).toBe(id);
  });

  it('is a new message with another text', async () => {
    const messageId = randomUUID();
    const one = await send(names, paramsOf(names, 'echo: one', { messageId }));
    const two = await send(names, paramsOf(names, 'echo: two', { messageId }));
    expect(two.id).not.toBe(one.id);
  });

  it('is refused under an explicit key with another text, naming the key', async () => {
    const headers = { ...owner, 'Idempotency-Key': randomUUID() };
    const { id } = await send(names, again('echo: one'), headers);
    const { error } = await agent.call(names.send, again('echo: two'), headers);
    expect(error?.code).toBe(-32602);
    expect(JSON.stringify(error).toLowerCase()).toMatch(/idempotency.?key/);
    expect(JSON.stringify(error)).not.toContain(id);
  });

  it('is another task for another caller', async () => {
    const params = again('echo: mine');
    const [mine, theirs] = [await send(names, params), await send(names, params, stranger)];
    expect(theirs.id).not.toBe(mine.id);
    expect((await agent.call('tasks/get', { id: mine.id }, stranger)).error?.code).toBe(-32001);
  });

  it('runs once however many copies arrive together', async () => {
    const params = again('echo: once');
    const tasks = await Promise.all(Array.from({ length: 10 }, () => send(names, params)));
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(1);
  });
});

/** The same value with its members in another order. */
function reordered(params: object): object {
  return Object.fromEntries(Object.entries(params).toReversed());
}

async function tasksIn(contextId: string): Promise<string[]> {
  const { result } = await agent.call('tasks/list', { contextId }, owner);
  return (result as { tasks: Task[] }).tasks.map(({ id }) => id);
}

describe.each(['tasks/subscribe', 'tasks/resubscribe', 'SubscribeToTask'])('R16: resuming by %s', (name) => {
  const [names] = SENDS;
  const chunks = 'chunks: a|b|c|d|e|f every 40';
  const subscribe = (id: string, cursor: string): Promise<EventStream> =>
    agent.open(name, { id }, { ...owner, 'Last-Event-ID': cursor });

  it('goes on after the last event that was seen', async () => {
    const first = await agent.open(names.stream, paramsOf(names, chunks), owner);
    const seen = [await first.take(), await first.take(), await first.take()];
    first.leave();
    const cursor = seen.at(-1)?.cursor ?? '';
    const [snapshot, ...rest] = await (await subscribe(idIn(seen), cursor)).rest();
    expect(snapshot?.cursor).toBe(cursor);
    expect(textOf([...seen, ...rest])).toBe('abcdef');
  });

  it('gets a marked snapshot for cursors that are garbage, of another task or of another caller’s', async () => {
    const own = await send(names, paramsOf(names, 'echo: other'));
    const foreign = await send(names, paramsOf(names, 'echo: secret'), stranger);
    const { id } = await send(names, paramsOf(names, chunks));
    for (const cursor of ['garbage', `${own.id.slice(0, 8)}-2`, `${foreign.id.slice(0, 8)}-2`]) {
      const stream = await subscribe(id, cursor);
      const { answer } = await stream.take();
      expect(taskIn(answer)).toMatchObject({ id, metadata: { replay: 'snapshot' } });
      stream.leave();
    }
  });
});

function idIn([first]: readonly StreamedAnswer[]): string {
  return taskIn(first?.answer as JsonRpcAnswer).id;
}

/** The text of all artifact pieces, in either spelling of an update. */
function textOf(events: readonly StreamedAnswer[]): string {
  return events
    .map(({ answer }) => answer.result as { artifactUpdate?: Update } & Partial<Update>)
    .flatMap((result) => (result.artifactUpdate ?? result).artifact?.parts ?? [])
    .map(({ text }) => text)
    .join('');
}

interface Update {
  readonly artifact: { readonly parts: readonly { readonly text: string }[] };
}

describe.each(['tasks/cancel', 'CancelTask'])('R20: %s where there is nothing to cancel', (name) => {
  const [names] = SENDS;
  const is10 = name === 'CancelTask';
  const by = (id: unknown, headers = owner) => agent.call(name, id === undefined ? {} : { id }, headers);
  const get = async (id: string) => taskIn(await agent.call('tasks/get', { id }, owner));
  const made = (text: string, messageId = randomUUID()) => {
    const { message } = paramsOf(names, text, { messageId }) as { message: object };
    return send(names, { message });
  };

  it.each([
    ['completed', () => made('echo: x')],
    ['failed', () => made('throw-now')],
    ['rejected', () => made('x', `tck-reject-task-${randomUUID()}`)],
  ])('refuses a %s task and changes nothing', async (_state, task) => {
    const before = await get((await task()).id);
    expect((await by(before.id)).error).toMatchObject({ code: -32002 });
    expect(await get(before.id)).toEqual(before);
  });

  it.each([
    ['input-required', () => made('ask: which?')],
    ['auth-required', () => made('auth: log in')],
    ['submitted or working', () => send(names, paramsOf(names, 'slow: 60000'))],
  ])('cancels a task that is %s once; the second time it says what the version says', async (_state, task) => {
    const { id } = await task();
    expect(taskIn(await by(id)).status.state).toMatch(/canceled|TASK_STATE_CANCELED/);
    const before = await get(id);
    const again = await by(id);
    if (is10) expect(taskIn(again).status.timestamp).toBe(before.status.timestamp);
    else expect(again.error?.code).toBe(-32002);
    expect(await get(id)).toEqual(before);
  });

  it('tells a foreign task from none by nothing but the id that was asked for', async () => {
    const { id } = await send(names, paramsOf(names, 'slow: 60000'));
    const [foreign, unknown] = [await by(id, stranger), await by(randomUUID(), stranger)];
    const face = ({ error }: JsonRpcAnswer) => JSON.stringify(error).replaceAll(/[0-9a-f-]{36}/g, 'ID');
    expect(foreign.error?.code).toBe(-32001);
    expect(face(foreign)).toBe(face(unknown));
    await cancel(id);
  });

  it('refuses params without an id', async () => {
    expect((await by(undefined)).error?.code).toBe(-32602);
  });
});
