import { randomUUID } from 'node:crypto';
import type { JSONRPCErrorResponse, Message, MessageSendParams, Task, TaskStatusUpdateEvent } from 'a2a-sdk-02';
import { A2AClient } from 'a2a-sdk-02/client';
import { ServerProcess, TestDatabase } from '@cleveragents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let database: TestDatabase;
let server: ServerProcess;
let sdk: A2AClient;

beforeAll(async () => {
  database = await TestDatabase.create();
  // This SDK has no way to send credentials.
  const profile = { A2A_TEST_AGENT: 'on', A2A_ANONYMOUS: 'on', PUSH_ALLOW_LOOPBACK: 'on' };
  server = await ServerProcess.start(database.variables(profile));
  sdk = new A2AClient(server.baseUrl);
});

afterAll(async () => {
  await server.end('SIGTERM');
  await database.drop();
});

function saying(text: string, rest: Partial<Message> = {}): MessageSendParams {
  const parts: Message['parts'] = [{ kind: 'text', text }];
  return { message: { kind: 'message', role: 'user', messageId: randomUUID(), parts, ...rest } };
}

/** The result of an answer, which must not be an error. */
function resultOf<T>(answer: JSONRPCErrorResponse | { readonly result: T }): T {
  if ('error' in answer) throw new Error(`${answer.error.code} ${answer.error.message}`);
  return answer.result;
}

function codeOf(answer: JSONRPCErrorResponse | { readonly result: unknown }): number | undefined {
  return 'error' in answer ? answer.error.code : undefined;
}

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const elements: T[] = [];
  for await (const element of stream) elements.push(element);
  return elements;
}

async function working(): Promise<Task> {
  const params = { ...saying('slow: 600000'), configuration: { blocking: false, acceptedOutputModes: [] } };
  return resultOf(await sdk.sendMessage(params)) as Task;
}

describe('the official SDK of A2A 0.2', () => {
  it('discovers the card where it was then', async () => {
    const card = await sdk.getAgentCard();
    expect(card).toMatchObject({ name: 'CleverAgents', url: `${server.baseUrl}/a2a` });
    expect(await sdk.getAgentCard(server.baseUrl, '.well-known/agent-card.json')).toEqual(card);
  });

  it('sends a message and reads the finished task', async () => {
    const task = resultOf(await sdk.sendMessage(saying('echo: hello'))) as Task;
    expect(task).toMatchObject({ kind: 'task', status: { state: 'completed' } });
    expect(task.artifacts?.[0]?.parts).toEqual([{ kind: 'text', text: 'hello' }]);
    expect(resultOf(await sdk.getTask({ id: task.id }))).toEqual(task);
    expect(resultOf(await sdk.getTask({ id: task.id, historyLength: 0 }))).not.toHaveProperty('history');
  });

  it('gets a direct message', async () => {
    const answer = resultOf(
      await sdk.sendMessage(saying('help', { messageId: `tck-message-response-${randomUUID()}` })),
    );
    expect(answer).toMatchObject({ kind: 'message', role: 'agent' });
  });

  it('streams a message up to the final status', async () => {
    const events = await all(sdk.sendMessageStream(saying('chunks: a|b every 10')));
    expect(events.map(({ kind }) => kind)).toEqual([
      'task',
      'status-update',
      'artifact-update',
      'artifact-update',
      'status-update',
    ]);
    const last = events.at(-1) as TaskStatusUpdateEvent;
    expect([last.status.state, last.final]).toEqual(['completed', true]);
  });

  it('continues a task that asked for input', async () => {
    const asked = resultOf(await sdk.sendMessage(saying('ask: which one?'))) as Task;
    expect(asked.status.state).toBe('input-required');
    const done = resultOf(await sdk.sendMessage(saying('echo: this one', { taskId: asked.id }))) as Task;
    expect([done.id, done.contextId, done.status.state]).toEqual([asked.id, asked.contextId, 'completed']);
  });

  it('resubscribes to a working task and cancels it', async () => {
    const { id } = await working();
    const stream = sdk.resubscribeTask({ id });
    expect((await stream.next()).value).toMatchObject({ kind: 'task', id });
    expect(resultOf<Task>(await sdk.cancelTask({ id })).status.state).toBe('canceled');
    const last = (await all(stream)).at(-1) as TaskStatusUpdateEvent;
    expect([last.status.state, last.final]).toEqual(['canceled', true]);
  });

  it('sets the webhook of a task and reads it back', async () => {
    const { id } = resultOf(await sdk.sendMessage(saying('ask: which one?'))) as Task;
    const config = { taskId: id, pushNotificationConfig: { url: 'http://127.0.0.1:9/hook' } };
    const set = resultOf(await sdk.setTaskPushNotificationConfig(config));
    expect(set).toMatchObject(config);
    expect(resultOf(await sdk.getTaskPushNotificationConfig({ id }))).toEqual(set);
  });

  it('is told by number what went wrong', async () => {
    expect(codeOf(await sdk.getTask({ id: 'nothing' }))).toBe(-32001);
    const { id } = resultOf(await sdk.sendMessage(saying('echo: x'))) as Task;
    expect(codeOf(await sdk.cancelTask({ id }))).toBe(-32002);
    expect(codeOf(await sdk.sendMessage(saying('more', { taskId: id })))).toBe(-32004);
    await expect(all(sdk.resubscribeTask({ id: 'nothing' }))).rejects.toThrow('Content-Type');
  });
});
