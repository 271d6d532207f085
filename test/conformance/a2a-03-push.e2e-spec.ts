import { randomUUID } from 'node:crypto';
import type { Task, TaskPushNotificationConfig } from 'a2a-sdk-03';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AgentUnderTest } from './agent-under-test.js';
import { Client03, kitMessage03 } from './client-03.js';
import { expectResult03 } from './shapes-03.js';
import { Webhook } from './webhook.js';

const PREFIX = 'tasks/pushNotificationConfig';

let agent: AgentUnderTest;
let client: Client03;
let webhook: Webhook;
let task: Task;

beforeAll(async () => {
  agent = await AgentUnderTest.start();
  client = new Client03(agent);
});

afterAll(() => agent.stop());

beforeEach(async () => {
  webhook = await Webhook.start();
  task = await client.send(kitMessage03('input-required'));
});

afterEach(() => webhook.stop());

const set = (config: object = {}) =>
  client.result<TaskPushNotificationConfig>(`${PREFIX}/set`, {
    taskId: task.id,
    pushNotificationConfig: { url: webhook.url, ...config },
  });

function received(): Task[] {
  return webhook.notifications.map(({ body }) => {
    expectResult03('tasks/get', body);
    return body as Task;
  });
}

describe('A2A 0.3 §7.5 tasks/pushNotificationConfig/set', () => {
  it('answers what was set', async () => {
    const config = await set({ id: 'mine', authentication: { schemes: ['Bearer'] } });
    expect(config).toMatchObject({
      taskId: task.id,
      pushNotificationConfig: { id: 'mine', url: webhook.url, authentication: { schemes: ['Bearer'] } },
    });
  });

  it('updates the configuration of the same id', async () => {
    await set({ id: 'mine' });
    await set({ id: 'mine', url: `${webhook.url}/new` });
    const configs = await client.result<TaskPushNotificationConfig[]>(`${PREFIX}/list`, { id: task.id });
    expect(configs.map(({ pushNotificationConfig }) => pushNotificationConfig.url)).toEqual([`${webhook.url}/new`]);
  });

  it('answers TaskNotFoundError for a task that does not exist', async () => {
    const params = { taskId: randomUUID(), pushNotificationConfig: { url: webhook.url } };
    expect((await client.error(`${PREFIX}/set`, params)).code).toBe(-32001);
  });

  it.each([{}, { pushNotificationConfig: {} }, { pushNotificationConfig: { url: 5 } }])(
    'answers invalid params to %j',
    async (params) => {
      expect((await client.error(`${PREFIX}/set`, { taskId: task.id, ...params })).code).toBe(-32602);
    },
  );
});

describe('A2A 0.3 §7.6 tasks/pushNotificationConfig/get', () => {
  it('§7.6.1 answers a configuration by its id', async () => {
    await set({ id: 'mine' });
    const params = { id: task.id, pushNotificationConfigId: 'mine' };
    const config = await client.result<TaskPushNotificationConfig>(`${PREFIX}/get`, params);
    expect(config).toMatchObject({ taskId: task.id, pushNotificationConfig: { id: 'mine' } });
  });

  it('answers the one that was set without an id, by the task alone and as "default"', async () => {
    await set();
    for (const params of [{ id: task.id }, { id: task.id, pushNotificationConfigId: 'default' }]) {
      const config = await client.result<TaskPushNotificationConfig>(`${PREFIX}/get`, params);
      expect(config.pushNotificationConfig.url).toBe(webhook.url);
    }
  });

  it('answers an error where there is none', async () => {
    expect((await client.error(`${PREFIX}/get`, { id: task.id })).code).toBe(-32001);
    expect((await client.error(`${PREFIX}/get`, { id: randomUUID() })).code).toBe(-32001);
  });
});

describe('A2A 0.3 §7.7 tasks/pushNotificationConfig/list', () => {
  it('answers a bare list', async () => {
    expect(await client.result(`${PREFIX}/list`, { id: task.id })).toEqual([]);
    await set({ id: 'a' });
    await set({ id: 'b' });
    const configs = await client.result<TaskPushNotificationConfig[]>(`${PREFIX}/list`, { id: task.id });
    expect(new Set(configs.map(({ pushNotificationConfig }) => pushNotificationConfig.id))).toEqual(
      new Set(['a', 'b']),
    );
  });

  it('answers TaskNotFoundError for a task that does not exist', async () => {
    expect((await client.error(`${PREFIX}/list`, { id: randomUUID() })).code).toBe(-32001);
  });
});

describe('A2A 0.3 §7.8 tasks/pushNotificationConfig/delete', () => {
  it('answers null, and the configuration is gone', async () => {
    await set({ id: 'mine' });
    const params = { id: task.id, pushNotificationConfigId: 'mine' };
    expect(await client.result(`${PREFIX}/delete`, params)).toBeNull();
    expect((await client.error(`${PREFIX}/get`, params)).code).toBe(-32001);
  });

  it('answers TaskNotFoundError for a task that does not exist', async () => {
    const params = { id: randomUUID(), pushNotificationConfigId: 'mine' };
    expect((await client.error(`${PREFIX}/delete`, params)).code).toBe(-32001);
  });
});

describe('A2A 0.3 §9.5 notifications', () => {
  it('hold the task, with the token of the configuration', async () => {
    await set({ token: 'tok-1', authentication: { schemes: ['Basic'], credentials: 'dXNlcjpwYXNz' } });
    await client.send(kitMessage03('artifact-text', { taskId: task.id }));
    await expect.poll(() => received().at(-1)?.status.state).toBe('completed');
    const last = webhook.notifications.at(-1);
    expect(last?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'Basic dXNlcjpwYXNz',
      'x-a2a-notification-token': 'tok-1',
    });
    expect(received().at(-1)?.artifacts?.[0]?.parts).toEqual([{ kind: 'text', text: 'Generated text' }]);
  });

  it('§7.1.1 follow from a configuration inside a message', async () => {
    const configuration = { pushNotificationConfig: { url: webhook.url } };
    const { id } = await client.send(kitMessage03('complete-task'), configuration);
    await expect.poll(() => received().at(-1)).toMatchObject({ id, status: { state: 'completed' } });
  });
});
