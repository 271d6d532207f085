import { randomUUID } from 'node:crypto';
import type { Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from 'a2a-sdk-03';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentUnderTest } from './agent-under-test.js';
import { Client03, kitMessage03, nextElement03, restOf03 } from './client-03.js';
import type { EventStream } from './event-stream.js';
import type { StreamElement03 } from './shapes-03.js';

let agent: AgentUnderTest;
let client: Client03;

beforeAll(async () => {
  agent = await AgentUnderTest.start();
  client = new Client03(agent);
});

afterAll(() => agent.stop());

const saying = (text: string): Partial<Message> => ({ parts: [{ kind: 'text', text }] });

/** State and `final` of each status update. */
function statusesOf(elements: readonly StreamElement03[]): [string, boolean][] {
  return elements
    .filter((element): element is TaskStatusUpdateEvent => element.kind === 'status-update')
    .map(({ status, final }) => [status.state, final]);
}

async function firstTask(stream: EventStream): Promise<Task> {
  const element = await nextElement03(stream);
  expect(element.kind).toBe('task');
  return element as Task;
}

describe('A2A 0.3 §3.3.1, §7.2 message/stream', () => {
  it('answers 200 with text/event-stream', async () => {
    const stream = await client.stream(kitMessage03('stream-001'));
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    await stream.rest();
  });

  it.each(['stream-001', 'stream-artifact-text', 'stream-artifact-file', 'artifact-data'])(
    'streams the task, its updates and a final status (%s)',
    async (behaviour) => {
      const elements = await restOf03(await client.stream(kitMessage03(behaviour)));
      expect(elements.map(({ kind }) => kind)).toEqual(['task', 'status-update', 'artifact-update', 'status-update']);
      expect(statusesOf(elements)).toEqual([
        ['working', false],
        ['completed', true],
      ]);
    },
  );

  it('streams a single message where the agent answers with one', async () => {
    const elements = await restOf03(await client.stream(kitMessage03('message-response')));
    expect(elements.map(({ kind }) => kind)).toEqual(['message']);
  });

  it('§7.2.3 streams chunks of one artifact', async () => {
    const elements = await restOf03(await client.stream(kitMessage03('stream-artifact-chunked')));
    const chunks = elements.filter((element): element is TaskArtifactUpdateEvent => element.kind === 'artifact-update');
    expect(chunks.map(({ append, lastChunk }) => [append, lastChunk])).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  it.each([
    ['throw-after: 1', 'failed'],
    ['chunks: a', 'completed'],
    ['ask: which?', 'input-required'],
  ])('§7.2.2 marks the last status as final after "%s"', async (text, state) => {
    const statuses = statusesOf(await restOf03(await client.stream(saying(text))));
    expect(statuses.at(-1)).toEqual([state, true]);
    for (const [, final] of statuses.slice(0, -1)) expect(final).toBe(false);
  });

  it('ends by a final status when the task is canceled', async () => {
    const stream = await client.stream(saying('slow: 600000'));
    await client.cancel((await firstTask(stream)).id);
    expect(statusesOf(await restOf03(stream)).at(-1)).toEqual(['canceled', true]);
  });

  it('continues a task that required input', async () => {
    const { id } = await client.send(kitMessage03('input-required'));
    const elements = await restOf03(await client.stream(kitMessage03('complete-task', { taskId: id })));
    expect((elements[0] as Task).id).toBe(id);
    expect(statusesOf(elements).at(-1)).toEqual(['completed', true]);
  });

  it.each([
    ['parts that are empty', { parts: [] }, -32602],
    ['a task that does not exist', { taskId: randomUUID() }, -32001],
  ])('refuses %s by a plain answer', async (_what, message, code) => {
    const stream = await client.stream(message);
    expect((await stream.refusal()).error?.code).toBe(code);
  });
});

describe('A2A 0.3 §7.9 tasks/resubscribe', () => {
  it('resumes the updates of a task after its stream broke', async () => {
    const broken = await client.stream(saying('chunks: a|b|c every 100'));
    const { id } = await firstTask(broken);
    broken.leave();
    const stream = await client.resubscribe(id);
    await firstTask(stream);
    expect(statusesOf(await restOf03(stream)).at(-1)).toEqual(['completed', true]);
  });

  it('begins with the task as it stands', async () => {
    const { id } = await client.send(kitMessage03('input-required'));
    const stream = await client.resubscribe(id);
    expect(await firstTask(stream)).toEqual(await client.task(id));
    stream.leave();
  });

  it('stays open through input-required, which is not final then', async () => {
    const { id } = await client.send(kitMessage03('input-required'));
    const stream = await client.resubscribe(id);
    await firstTask(stream);
    await client.send(kitMessage03('input-required', { taskId: id }));
    await client.send(kitMessage03('complete-task', { taskId: id }));
    expect(statusesOf(await restOf03(stream))).toEqual([
      ['working', false],
      ['input-required', false],
      ['working', false],
      ['completed', true],
    ]);
  });

  it('serves several readers alike', async () => {
    const { id } = await client.working();
    const streams = [await client.resubscribe(id), await client.resubscribe(id)];
    for (const stream of streams) await firstTask(stream);
    await client.cancel(id);
    const [one, two] = await Promise.all(streams.map(restOf03));
    expect(one).toEqual(two);
  });

  it('is refused for a task that is over', async () => {
    const { id } = await client.send(kitMessage03('complete-task'));
    expect((await (await client.resubscribe(id)).refusal()).error?.code).toBe(-32004);
  });

  it('is refused for a task that does not exist', async () => {
    expect((await (await client.resubscribe(randomUUID())).refusal()).error?.code).toBe(-32001);
  });
});
