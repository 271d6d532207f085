import { randomUUID } from 'node:crypto';
import { Role, type SendMessageRequest, type Task } from 'a2a-sdk-1';
import { ClientFactory, JsonRpcTransportFactory } from 'a2a-sdk-1/client';
import type { Task as Task03 } from 'a2a-sdk-03';
import {
  ClientFactory as ClientFactory03,
  JsonRpcTransportFactory as JsonRpcTransportFactory03,
} from 'a2a-sdk-03/client';
import { ServerProcess, TestDatabase } from '@cleveragents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const URL = 'http://127.0.0.1:9/hook';

let database: TestDatabase;
let server: ServerProcess;

beforeAll(async () => {
  database = await TestDatabase.create();
  server = await ServerProcess.start(database.variables({ A2A_TEST_AGENT: 'on', PUSH_ALLOW_LOOPBACK: 'on' }));
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

describe('the official SDK of A2A 1.0', () => {
  const client = () =>
    new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl: authorized })] }).createFromUrl(
      server.baseUrl,
    );
  const asking = (configuration?: SendMessageRequest['configuration']): SendMessageRequest => ({
    tenant: '',
    message: {
      messageId: randomUUID(),
      contextId: '',
      taskId: '',
      role: Role.ROLE_USER,
      parts: [{ content: { $case: 'text', value: 'ask: ok?' }, metadata: undefined, filename: '', mediaType: '' }],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration,
    metadata: undefined,
  });
  const config = (taskId: string) => ({ tenant: '', id: '', taskId, url: URL, token: '', authentication: undefined });

  it('creates, reads, lists and deletes webhooks of a task', async () => {
    const sdk = await client();
    const { id: taskId } = (await sdk.sendMessage(asking())) as Task;
    const created = await sdk.createTaskPushNotificationConfig(config(taskId));
    expect([created.taskId, created.url]).toEqual([taskId, URL]);
    const key = { tenant: '', taskId, id: created.id };
    expect(await sdk.getTaskPushNotificationConfig(key)).toEqual(created);
    const page = { tenant: '', taskId, pageSize: 10, pageToken: '' };
    expect((await sdk.listTaskPushNotificationConfig(page)).configs).toEqual([created]);
    await sdk.deleteTaskPushNotificationConfig(key);
    expect((await sdk.listTaskPushNotificationConfig(page)).configs).toEqual([]);
  });

  it('sends a webhook with a message', async () => {
    const sdk = await client();
    const inline = { acceptedOutputModes: [], returnImmediately: false, taskPushNotificationConfig: config('') };
    const { id: taskId } = (await sdk.sendMessage(asking(inline))) as Task;
    const { configs } = await sdk.listTaskPushNotificationConfig({ tenant: '', taskId, pageSize: 10, pageToken: '' });
    expect(configs.map(({ url }) => url)).toEqual([URL]);
  });

  it('gets the extended card, which says more than the public one', async () => {
    const card = await (await client()).getAgentCard();
    expect(card.name).toBe('CleverAgents');
    expect(card.capabilities?.extensions[0]?.params).toMatchObject({ methods: expect.any(Array) });
  });
});

describe('the official SDK of A2A 0.3', () => {
  const client = () =>
    new ClientFactory03({ transports: [new JsonRpcTransportFactory03({ fetchImpl: authorized })] }).createFromUrl(
      server.baseUrl,
    );
  const asking = async (): Promise<Task03> => {
    const parts = [{ kind: 'text' as const, text: 'ask: ok?' }];
    const message = { kind: 'message' as const, role: 'user' as const, messageId: randomUUID(), parts };
    return (await (await client()).sendMessage({ message })) as Task03;
  };

  it('sets, reads, lists and deletes webhooks of a task', async () => {
    const sdk = await client();
    const { id: taskId } = await asking();
    const set = await sdk.setTaskPushNotificationConfig({ taskId, pushNotificationConfig: { id: 'mine', url: URL } });
    const key = { id: taskId, pushNotificationConfigId: 'mine' };
    expect(await sdk.getTaskPushNotificationConfig(key)).toEqual(set);
    expect(await sdk.listTaskPushNotificationConfig({ id: taskId })).toEqual([set]);
    await sdk.deleteTaskPushNotificationConfig(key);
    expect(await sdk.listTaskPushNotificationConfig({ id: taskId })).toEqual([]);
  });

  it('gets the extended card, which says more than the public one', async () => {
    const card = await (await client()).getAgentCard();
    expect(card.capabilities.extensions?.[0]?.params).toMatchObject({ methods: expect.any(Array) });
  });
});
