import { randomUUID } from 'node:crypto';
import { Role, type Task } from 'a2a-sdk-1';
import { ClientFactory, JsonRpcTransportFactory } from 'a2a-sdk-1/client';
import type { Task as Task03 } from 'a2a-sdk-03';
import {
  ClientFactory as ClientFactory03,
  JsonRpcTransportFactory as JsonRpcTransportFactory03,
} from 'a2a-sdk-03/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestServer } from './test-server.js';

const CONFIG_URL = 'http://127.0.0.1:9/hook';
const HIDDEN = '********';

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start({ PUSH_ALLOW_LOOPBACK: 'on' });
});

afterAll(() => server.stop());

const authorized: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('Authorization', `Bearer ${server.token}`);
  return fetch(input, { ...init, headers });
};

describe('webhooks by the official SDK of A2A 1.0', () => {
  const client = () => {
    const transports = [new JsonRpcTransportFactory({ fetchImpl: authorized })];
    return new ClientFactory({ transports }).createFromUrl(server.url);
  };
  const config = (taskId: string) => ({
    tenant: '',
    id: '',
    taskId,
    url: CONFIG_URL,
    token: 'nt-1',
    authentication: { scheme: 'Bearer', credentials: 'tok-one' },
  });
  const message = (text: string) => ({
    messageId: randomUUID(),
    contextId: '',
    taskId: '',
    role: Role.ROLE_USER,
    parts: [{ content: { $case: 'text' as const, value: text }, metadata: undefined, filename: '', mediaType: '' }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  });

  it('are created, read, listed and deleted', async () => {
    const sdk = await client();
    const request = { tenant: '', message: message('echo: x'), configuration: undefined, metadata: undefined };
    const { id: taskId } = (await sdk.sendMessage(request)) as Task;
    const created = await sdk.createTaskPushNotificationConfig(config(taskId));
    expect(created).toMatchObject({
      ...config(taskId),
      id: expect.stringMatching(/./) as string,
      token: HIDDEN,
      authentication: { scheme: 'Bearer', credentials: HIDDEN },
    });
    const key = { tenant: '', taskId, id: created.id };
    expect(await sdk.getTaskPushNotificationConfig(key)).toEqual(created);
    const list = () => sdk.listTaskPushNotificationConfig({ tenant: '', taskId, pageSize: 0, pageToken: '' });
    expect((await list()).configs).toEqual([created]);
    await sdk.deleteTaskPushNotificationConfig(key);
    await sdk.deleteTaskPushNotificationConfig(key);
    expect((await list()).configs).toEqual([]);
    await expect(sdk.getTaskPushNotificationConfig(key)).rejects.toMatchObject({ name: 'TaskNotFoundError' });
  });

  it('come with a message', async () => {
    const sdk = await client();
    const configuration = {
      acceptedOutputModes: [],
      returnImmediately: false,
      taskPushNotificationConfig: config(''),
    };
    const request = { tenant: '', message: message('echo: x'), configuration, metadata: undefined };
    const { id: taskId } = (await sdk.sendMessage(request)) as Task;
    const { configs } = await sdk.listTaskPushNotificationConfig({ tenant: '', taskId, pageSize: 0, pageToken: '' });
    expect(configs.map(({ url }) => url)).toEqual([CONFIG_URL]);
  });
});

describe('webhooks by the official SDK of A2A 0.3', () => {
  const client = () => {
    const transports = [new JsonRpcTransportFactory03({ fetchImpl: authorized })];
    return new ClientFactory03({ transports }).createFromUrl(server.url);
  };
  const message = (text: string) => ({
    kind: 'message' as const,
    role: 'user' as const,
    messageId: randomUUID(),
    parts: [{ kind: 'text' as const, text }],
  });

  it('are set, read, listed and deleted', async () => {
    const sdk = await client();
    const { id: taskId } = (await sdk.sendMessage({ message: message('echo: x') })) as Task03;
    const authentication = { schemes: ['Bearer'], credentials: 'tok-one' };
    const pushNotificationConfig = { id: 'mine', url: CONFIG_URL, token: 'nt-1', authentication };
    const shown = {
      taskId,
      pushNotificationConfig: {
        ...pushNotificationConfig,
        token: HIDDEN,
        authentication: { ...authentication, credentials: HIDDEN },
      },
    };
    expect(await sdk.setTaskPushNotificationConfig({ taskId, pushNotificationConfig })).toEqual(shown);
    const key = { id: taskId, pushNotificationConfigId: 'mine' };
    expect(await sdk.getTaskPushNotificationConfig(key)).toEqual(shown);
    expect(await sdk.listTaskPushNotificationConfig({ id: taskId })).toEqual([shown]);
    await sdk.deleteTaskPushNotificationConfig(key);
    expect(await sdk.listTaskPushNotificationConfig({ id: taskId })).toEqual([]);
  });

  it('come with a message', async () => {
    const sdk = await client();
    const configuration = { blocking: true, pushNotificationConfig: { url: CONFIG_URL } };
    const { id } = (await sdk.sendMessage({ message: message('echo: x'), configuration })) as Task03;
    const list = await sdk.listTaskPushNotificationConfig({ id });
    expect(list.map((config) => config.pushNotificationConfig.url)).toEqual([CONFIG_URL]);
  });
});
