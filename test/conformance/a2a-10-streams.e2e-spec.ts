import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentUnderTest } from './agent-under-test.js';
import { checkedError, Client10, errorInfo, kitMessage, nextElement, restOf, stateOf } from './client-10.js';
import type { EventStream } from './event-stream.js';
import type { JsonRpcError } from './json-rpc-answer.js';

let agent: AgentUnderTest;
let client: Client10;

beforeAll(async () => {
  agent = await AgentUnderTest.start();
  client = new Client10(agent);
});

afterAll(() => agent.stop());

async function refusal(opening: Promise<EventStream>): Promise<JsonRpcError> {
  const stream = await opening;
  expect(stream.response.status).toBe(200);
  return checkedError((await stream.refusal()).error);
}

describe('A2A 1.0 §3.1.2 Send Streaming Message', () => {
  it('§9.4.2 MUST answer 200 with text/event-stream', async () => {
    const { response } = await client.stream(kitMessage('stream-001'));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    await response.body?.cancel();
  });

  it('MUST hold exactly one message where the agent answers with a message, then close', async () => {
    const elements = await restOf(await client.stream(kitMessage('message-response')));
    expect(elements.map((element) => Object.keys(element))).toEqual([['message']]);
  });

  it.each(['stream-001', 'stream-003', 'stream-ordering-001', 'stream-artifact-text', 'stream-artifact-file'])(
    'MUST begin with the task and close at its end (%s)',
    async (behaviour) => {
      const elements = await restOf(await client.stream(kitMessage(behaviour)));
      expect(elements.map((element) => Object.keys(element)[0])).toEqual([
        'task',
        'statusUpdate',
        'artifactUpdate',
        'statusUpdate',
      ]);
      expect(elements.map(stateOf).filter((state) => state !== undefined)).toEqual([
        'TASK_STATE_SUBMITTED',
        'TASK_STATE_WORKING',
        'TASK_STATE_COMPLETED',
      ]);
    },
  );

  it('MAY have no artifacts at all', async () => {
    const elements = await restOf(await client.stream(kitMessage('stream-002')));
    expect(elements.map(stateOf)).toEqual(['TASK_STATE_SUBMITTED', 'TASK_STATE_COMPLETED']);
  });

  it('§4.2.2 sends an artifact in chunks, the later ones appended and the last one marked', async () => {
    const elements = await restOf(await client.stream(kitMessage('stream-artifact-chunked')));
    const chunks = elements.map(({ artifactUpdate }) => artifactUpdate).filter((update) => update !== undefined);
    expect(chunks.map(({ append, lastChunk }) => [append, lastChunk])).toEqual([
      [false, false],
      [true, true],
    ]);
    expect(new Set(chunks.map(({ artifact }) => artifact.artifactId)).size).toBe(1);
  });

  it.each([
    ['failed', 'throw-after: 1', 'TASK_STATE_FAILED'],
    ['completed', 'chunks: a', 'TASK_STATE_COMPLETED'],
  ])('MUST close when the task has %s', async (_what, text, state) => {
    const elements = await restOf(await client.stream({ parts: [{ text }] }));
    expect(elements.at(-1)?.statusUpdate?.status.state).toBe(state);
  });

  it('MUST close when the task is rejected', async () => {
    const elements = await restOf(await client.stream(kitMessage('reject-task')));
    expect(elements.map(stateOf).at(-1)).toBe('TASK_STATE_REJECTED');
  });

  it('MUST close when the task is canceled from elsewhere', async () => {
    const stream = await client.stream({ parts: [{ text: 'slow: 600000' }] });
    const { task } = await nextElement(stream);
    await client.cancel(task?.id ?? '');
    expect((await restOf(stream)).map(stateOf).at(-1)).toBe('TASK_STATE_CANCELED');
  });

  it('closes when the task requires input: the next turn has a stream of its own', async () => {
    const elements = await restOf(await client.stream(kitMessage('input-required')));
    expect(elements.map(stateOf).at(-1)).toBe('TASK_STATE_INPUT_REQUIRED');
    const taskId = elements[0]?.task?.id ?? '';
    const next = await restOf(await client.stream(kitMessage('stream-002', { taskId })));
    expect(next[0]?.task?.id).toBe(taskId);
    expect(next.map(stateOf).at(-1)).toBe('TASK_STATE_COMPLETED');
  });

  it('§7.6.1 SHOULD keep the stream in auth-required', async () => {
    const stream = await client.stream({ parts: [{ text: 'auth: log in' }] });
    const { task } = await nextElement(stream);
    expect(stateOf(await nextElement(stream))).toBe('TASK_STATE_AUTH_REQUIRED');
    await client.send(kitMessage('complete-task', { taskId: task?.id ?? '' }));
    expect((await restOf(stream)).map(stateOf)).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED']);
  });

  it('has the same answer as a send: the events fold to the stored task', async () => {
    const elements = await restOf(await client.stream(kitMessage('stream-artifact-chunked')));
    const stored = await client.task(elements[0]?.task?.id ?? '');
    const parts = elements.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts ?? []);
    expect(stored.artifacts?.[0]?.parts).toEqual(parts);
    expect(stored.status).toEqual(elements.at(-1)?.statusUpdate?.status);
  });

  it('returns at once whatever returnImmediately says', async () => {
    const params = { message: kitMessage('stream-001'), configuration: { returnImmediately: true } };
    const elements = await restOf(await client.open('SendStreamingMessage', params));
    expect(elements).toHaveLength(4);
  });

  it('answers UnsupportedOperationError for a task that is over, as a plain answer', async () => {
    const { id } = await client.send(kitMessage('complete-task'));
    const error = await refusal(client.stream({ taskId: id }));
    expect([error.code, errorInfo(error).reason]).toEqual([-32004, 'UNSUPPORTED_OPERATION']);
  });

  it('answers TaskNotFoundError for a task that does not exist, as a plain answer', async () => {
    expect((await refusal(client.stream({ taskId: randomUUID() }))).code).toBe(-32001);
  });

  it('answers InvalidParamsError for a message without parts, as a plain answer', async () => {
    expect((await refusal(client.stream({ parts: [] }))).code).toBe(-32602);
  });
});

describe('A2A 1.0 §3.1.6 Subscribe to Task', () => {
  it('MUST begin with the current task and end with it', async () => {
    const { id } = await client.working();
    const stream = await client.subscribe(id);
    const { task } = await nextElement(stream);
    expect(task?.id).toBe(id);
    const canceled = await client.cancel(id);
    const last = (await restOf(stream)).at(-1)?.statusUpdate;
    expect(last?.status).toEqual(canceled.status);
  });

  it('shows in its first event what has happened before', async () => {
    const { id } = await client.send(kitMessage('input-required'));
    const stream = await client.subscribe(id);
    expect((await nextElement(stream)).task).toEqual(await client.task(id));
    stream.leave();
  });

  it('stays through input-required, whoever continues the task', async () => {
    const { id } = await client.send(kitMessage('input-required'));
    const stream = await client.subscribe(id);
    await nextElement(stream);
    await client.send(kitMessage('input-required', { taskId: id }));
    await client.send(kitMessage('complete-task', { taskId: id }));
    expect((await restOf(stream)).map(stateOf)).toEqual([
      'TASK_STATE_WORKING',
      'TASK_STATE_INPUT_REQUIRED',
      'TASK_STATE_WORKING',
      'TASK_STATE_COMPLETED',
    ]);
  });

  it.each(['complete-task', 'reject-task'])('MUST be refused after %s', async (behaviour) => {
    const { id } = await client.send(kitMessage(behaviour));
    const error = await refusal(client.subscribe(id));
    expect([error.code, errorInfo(error).reason]).toEqual([-32004, 'UNSUPPORTED_OPERATION']);
  });

  it('MUST be refused after a cancel', async () => {
    const { id } = await client.working();
    await client.cancel(id);
    expect((await refusal(client.subscribe(id))).code).toBe(-32004);
  });

  it('MUST answer TaskNotFoundError for a task that does not exist', async () => {
    expect((await refusal(client.subscribe(randomUUID()))).code).toBe(-32001);
  });

  it('follows a task to its end that nobody streamed before', async () => {
    const { id } = await client.send(
      { messageId: `test-resubscribe-message-id-${randomUUID()}` },
      { returnImmediately: true },
    );
    const elements = await restOf(await client.subscribe(id));
    expect(elements[0]?.task?.id).toBe(id);
    expect(elements.map(stateOf).at(-1)).toBe('TASK_STATE_COMPLETED');
  });
});

describe('A2A 1.0 §3.5.2 Streaming Event Delivery', () => {
  const texts = ['a', 'b', 'c', 'd', 'e', 'f'];
  const slowly = { parts: [{ text: `chunks: ${texts.join('|')} every 30` }] };

  it('MUST deliver events in the order in which they were made', async () => {
    const elements = await restOf(await client.stream(slowly));
    expect(elements.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts ?? [])).toEqual(
      texts.map((text) => ({ text })),
    );
  });

  it('MUST broadcast the same events in the same order to all streams of a task', async () => {
    const first = await client.stream(slowly);
    const { task } = await nextElement(first);
    const second = await client.subscribe(task?.id ?? '');
    const third = await client.subscribe(task?.id ?? '');
    const [all = [], ...others] = await Promise.all(
      [first, second, third].map(async (stream) => (await stream.rest()).map(({ cursor }) => cursor)),
    );
    // The first event of a subscription is the task up to there.
    for (const [start, ...seen] of others) expect(seen).toEqual(all.slice(all.indexOf(start) + 1));
    expect(all.length).toBeGreaterThan(texts.length);
  });

  it('MUST NOT disturb other streams, nor the task, by closing one', async () => {
    const leaving = await client.stream(slowly);
    const { task } = await nextElement(leaving);
    const staying = await client.subscribe(task?.id ?? '');
    await nextElement(staying);
    leaving.leave();
    expect((await restOf(staying)).map(stateOf).at(-1)).toBe('TASK_STATE_COMPLETED');
    expect((await client.task(task?.id ?? '')).artifacts?.[0]?.parts).toHaveLength(texts.length);
  });

  it('lets a client come back after an interruption, without gap or repeat', async () => {
    const broken = await client.stream(slowly);
    const { cursor, answer } = await broken.take();
    const { task } = answer.result as { task: { id: string } };
    broken.leave();
    const stream = await client.open('SubscribeToTask', { id: task.id }, { 'Last-Event-ID': cursor ?? '' });
    await nextElement(stream);
    const parts = (await restOf(stream)).flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts ?? []);
    expect(parts).toEqual(texts.map((text) => ({ text })));
  });
});

describe('A2A 1.0 §9.4.2 stream events', () => {
  it('are whole JSON-RPC responses to the request, one to a data line', async () => {
    const params = { message: kitMessage('stream-artifact-text') };
    const body = { jsonrpc: '2.0', id: 'req-7', method: 'SendStreamingMessage', params };
    const text = await (await agent.post(body, { 'A2A-Version': '1.0' })).text();
    const events = text.trimEnd().split('\n\n');
    for (const event of events) {
      const data = event.split('\n').filter((line) => line.startsWith('data: '));
      expect(data).toHaveLength(1);
      expect(JSON.parse(data[0]?.slice('data: '.length) ?? '')).toMatchObject({ jsonrpc: '2.0', id: 'req-7' });
    }
    expect(events).toHaveLength(4);
  });
});
