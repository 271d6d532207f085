import { randomUUID } from 'node:crypto';
import { Role, TaskState, type SendMessageRequest, type StreamResponse, type Task } from 'a2a-sdk-1';
import { ClientFactory, JsonRpcTransportFactory } from 'a2a-sdk-1/client';
import type { Message as Message03, Task as Task03, TaskStatusUpdateEvent } from 'a2a-sdk-03';
import {
  ClientFactory as ClientFactory03,
  JsonRpcTransportFactory as JsonRpcTransportFactory03,
  type Client as Client03,
} from 'a2a-sdk-03/client';
import { ServerProcess, TestDatabase } from '@cleveragents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let database: TestDatabase;
let server: ServerProcess;

beforeAll(async () => {
  database = await TestDatabase.create();
  server = await ServerProcess.start(database.variables({ A2A_TEST_AGENT: 'on' }));
});

afterAll(async () => {
  await server.end('SIGTERM');
  await database.drop();
});

const authorized: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('Authorization', `Bearer ${server.token}`);
  return fetch(input, { ...init, headers });
};

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const elements: T[] = [];
  for await (const element of stream) elements.push(element);
  return elements;
}

describe('the official SDK of A2A 1.0', () => {
  const client = async () => {
    const transports = [new JsonRpcTransportFactory({ fetchImpl: authorized })];
    return new ClientFactory({ transports }).createFromUrl(server.baseUrl);
  };
  const request = (text: string, rest: object = {}): SendMessageRequest => ({
    tenant: '',
    message: {
      messageId: randomUUID(),
      contextId: '',
      taskId: '',
      role: Role.ROLE_USER,
      parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' }],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
      ...rest,
    },
    configuration: undefined,
    metadata: undefined,
  });
  const immediately = (text: string): SendMessageRequest => ({
    ...request(text),
    configuration: { acceptedOutputModes: [], returnImmediately: true, taskPushNotificationConfig: undefined },
  });
  const textOf = ({ payload }: StreamResponse): string | undefined => {
    const part = payload?.$case === 'artifactUpdate' ? payload.value.artifact?.parts[0] : undefined;
    return part?.content?.$case === 'text' ? part.content.value : undefined;
  };

  it('discovers the card, sends a message and reads the finished task', async () => {
    const sdk = await client();
    const task = (await sdk.sendMessage(request('echo: hello'))) as Task;
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(task.artifacts[0]?.parts[0]?.content).toEqual({ $case: 'text', value: 'hello' });
    const read = await sdk.getTask({ tenant: '', id: task.id });
    expect(read).toEqual(task);
  });

  it('streams a message from the task to its end', async () => {
    const events = await all((await client()).sendMessageStream(request('chunks: a|b|c every 10')));
    expect(events[0]?.payload?.$case).toBe('task');
    expect(events.map(textOf).filter((text) => text !== undefined)).toEqual(['a', 'b', 'c']);
    const last = events.at(-1)?.payload;
    expect(last?.$case === 'statusUpdate' && last.value.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  it('continues a task that asked for input', async () => {
    const sdk = await client();
    const asked = (await sdk.sendMessage(request('ask: which one?'))) as Task;
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const done = (await sdk.sendMessage(request('echo: this one', { taskId: asked.id }))) as Task;
    expect(done.id).toBe(asked.id);
    expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  it('lists, resubscribes to and cancels a working task', async () => {
    const sdk = await client();
    const working = (await sdk.sendMessage(immediately('slow: 60000'))) as Task;
    const page = await sdk.listTasks({
      tenant: '',
      contextId: working.contextId,
      status: TaskState.TASK_STATE_UNSPECIFIED,
      pageToken: '',
      statusTimestampAfter: undefined,
    });
    expect(page.tasks.map((task) => task.id)).toEqual([working.id]);
    const stream = sdk.resubscribeTask({ tenant: '', id: working.id });
    const first = await stream.next();
    expect(first.value?.payload?.$case).toBe('task');
    const canceled = await sdk.cancelTask({ tenant: '', id: working.id, metadata: undefined });
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    const rest = await all(stream);
    const last = rest.at(-1)?.payload;
    expect(last?.$case === 'statusUpdate' && last.value.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  });
});

describe('the official SDK of A2A 0.3', () => {
  const client = (): Promise<Client03> => {
    const transports = [new JsonRpcTransportFactory03({ fetchImpl: authorized })];
    return new ClientFactory03({ transports }).createFromUrl(server.baseUrl);
  };
  const message = (text: string, rest: Partial<Message03> = {}): Message03 => ({
    kind: 'message',
    role: 'user',
    messageId: randomUUID(),
    parts: [{ kind: 'text', text }],
    ...rest,
  });

  it('discovers the card, sends a message and reads the finished task', async () => {
    const sdk = await client();
    const task = (await sdk.sendMessage({ message: message('echo: hello') })) as Task03;
    expect(task.status.state).toBe('completed');
    expect(task.artifacts?.[0]?.parts).toEqual([{ kind: 'text', text: 'hello' }]);
    expect(await sdk.getTask({ id: task.id })).toEqual(task);
  });

  it('streams a message; the last status is final', async () => {
    const events = await all((await client()).sendMessageStream({ message: message('chunks: a|b every 10') }));
    expect(events.map((event) => event.kind)).toEqual([
      'task',
      'status-update',
      'artifact-update',
      'artifact-update',
      'status-update',
    ]);
    expect((events.at(-1) as TaskStatusUpdateEvent).final).toBe(true);
  });

  it('resubscribes to and cancels a working task, which the list shows', async () => {
    const sdk = await client();
    const params = { message: message('slow: 60000'), configuration: { blocking: false } };
    const working = (await sdk.sendMessage(params)) as Task03;
    const stream = sdk.resubscribeTask({ id: working.id });
    expect((await stream.next()).value?.kind).toBe('task');
    const { result } = await server.call('tasks/list', { contextId: working.contextId });
    expect((result as { tasks: Task03[] }).tasks.map(({ id, kind }) => ({ id, kind }))).toEqual([
      { id: working.id, kind: 'task' },
    ]);
    expect((await sdk.cancelTask({ id: working.id })).status.state).toBe('canceled');
    const last = (await all(stream)).at(-1) as TaskStatusUpdateEvent;
    expect([last.status.state, last.final]).toEqual(['canceled', true]);
  });
});
