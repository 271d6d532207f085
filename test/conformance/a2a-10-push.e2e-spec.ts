import { randomUUID } from 'node:crypto';
import type { StreamResponse, Task, TaskPushNotificationConfig } from '@cleveragents/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AgentUnderTest } from './agent-under-test.js';
import { Client10, errorInfo, kitMessage, stateOf } from './client-10.js';
import { expectResult10 } from './shapes-10.js';
import { Webhook } from './webhook.js';

let agent: AgentUnderTest;
let client: Client10;
let webhook: Webhook;
let task: Task;

beforeAll(async () => {
  agent = await AgentUnderTest.start();
  client = new Client10(agent);
});

afterAll(() => agent.stop());

beforeEach(async () => {
  webhook = await Webhook.start();
  task = await client.send(kitMessage('input-required'));
});

afterEach(() => webhook.stop());

const create = (params: object = {}) =>
  client.result<TaskPushNotificationConfig>('CreateTaskPushNotificationConfig', {
    taskId: task.id,
    url: webhook.url,
    ...params,
  });

const list = (params: object = {}) =>
  client.result<{ configs: TaskPushNotificationConfig[]; nextPageToken: string }>('ListTaskPushNotificationConfigs', {
    taskId: task.id,
    ...params,
  });

const keyOf = ({ id }: TaskPushNotificationConfig) => ({ taskId: task.id, id });

/** Events that arrived so far, each of which must be exactly of the type. */
function received(): StreamResponse[] {
  return webhook.notifications.map(({ body }) => {
    expectResult10('SendStreamingMessage', body);
    return body as StreamResponse;
  });
}

describe('A2A 1.0 §3.1.7 Create Push Notification Config', () => {
  it('§8 is declared by the card', async () => {
    const card = await (await agent.get('/v1/.well-known/agent-card.json')).json();
    expect(card).toMatchObject({ capabilities: { pushNotifications: true } });
  });

  it('answers the configuration with the id that it was given', async () => {
    const config = await create();
    expect(config).toMatchObject({ taskId: task.id, url: webhook.url });
    expect(config.id).not.toBe('');
  });

  it('gives every configuration an id of its own', async () => {
    expect(new Set([(await create()).id, (await create()).id]).size).toBe(2);
  });

  it('MUST answer TaskNotFoundError for a task that does not exist', async () => {
    const params = { taskId: randomUUID(), url: webhook.url };
    const error = await client.error('CreateTaskPushNotificationConfig', params);
    expect([error.code, errorInfo(error).reason]).toEqual([-32001, 'TASK_NOT_FOUND']);
  });

  it('takes a configuration for a task that is over already', async () => {
    const { id: taskId } = await client.send(kitMessage('complete-task'));
    expect(await create({ taskId })).toMatchObject({ taskId });
  });

  it.each([
    ['no url', { url: undefined }],
    ['no task', { taskId: undefined }],
    ['a url that is none', { url: 'somewhere' }],
    ['another scheme than http', { url: 'ftp://example.com/hook' }],
    ['credentials in the url', { url: 'https://user:secret@example.com/hook' }],
    ['an authentication without scheme', { authentication: { credentials: 'x' } }],
  ])('refuses %s', async (_what, params) => {
    const whole = { taskId: task.id, url: webhook.url, ...params };
    expect((await client.error('CreateTaskPushNotificationConfig', whole)).code).toBe(-32602);
  });
});

describe('A2A 1.0 §3.1.8 Get Push Notification Config', () => {
  it('MUST answer the details, but §13.2 no secret', async () => {
    const config = await create({ token: 'tok-1', authentication: { scheme: 'Bearer', credentials: 'cred-1' } });
    const shown = await client.result<TaskPushNotificationConfig>('GetTaskPushNotificationConfig', keyOf(config));
    expect(shown).toMatchObject({ taskId: task.id, id: config.id, url: webhook.url });
    expect(shown.authentication?.scheme).toBe('Bearer');
    expect(JSON.stringify(shown)).not.toContain('cred-1');
  });

  it.each([
    ['of a configuration that does not exist', () => ({ taskId: task.id, id: 'none' })],
    ['of a task that does not exist', () => ({ taskId: randomUUID(), id: 'none' })],
  ])('MUST fail with TaskNotFoundError %s', async (_what, key) => {
    expect((await client.error('GetTaskPushNotificationConfig', key())).code).toBe(-32001);
  });
});

describe('A2A 1.0 §3.1.9 List Push Notification Configs', () => {
  it('MUST answer all configurations of the task and of no other', async () => {
    const ids = new Set([(await create()).id, (await create()).id]);
    const other = await client.send(kitMessage('input-required'));
    await create({ taskId: other.id });
    const { configs, nextPageToken } = await list();
    expect(new Set(configs.map(({ id }) => id))).toEqual(ids);
    expect(nextPageToken).toBe('');
  });

  it('answers an empty list where there are none', async () => {
    expect((await list()).configs).toEqual([]);
  });

  it('MAY be paged', async () => {
    for (let count = 0; count < 3; count += 1) await create();
    const first = await list({ pageSize: 2 });
    const rest = await list({ pageSize: 2, pageToken: first.nextPageToken });
    expect([first.configs.length, rest.configs.length, rest.nextPageToken]).toEqual([2, 1, '']);
  });

  it('MUST answer TaskNotFoundError for a task that does not exist', async () => {
    expect((await client.error('ListTaskPushNotificationConfigs', { taskId: randomUUID() })).code).toBe(-32001);
  });
});

describe('A2A 1.0 §3.1.10 Delete Push Notification Config', () => {
  it('MUST remove it for good: nothing is sent any more', async () => {
    const [gone, kept] = [await create(), await create()];
    await client.result('DeleteTaskPushNotificationConfig', keyOf(gone));
    expect((await list()).configs.map(({ id }) => id)).toEqual([kept.id]);
    expect((await client.error('GetTaskPushNotificationConfig', keyOf(gone))).code).toBe(-32001);
    await client.cancel(task.id);
    await expect.poll(() => received().map(stateOf)).toEqual(['TASK_STATE_CANCELED']);
  });

  it('MUST be idempotent', async () => {
    const key = keyOf(await create());
    await client.result('DeleteTaskPushNotificationConfig', key);
    expect((await agent.call('DeleteTaskPushNotificationConfig', key, { 'A2A-Version': '1.0' })).error).toBeUndefined();
  });

  it('MUST answer TaskNotFoundError for a task that does not exist', async () => {
    const error = await client.error('DeleteTaskPushNotificationConfig', { taskId: randomUUID(), id: 'x' });
    expect(error.code).toBe(-32001);
  });
});

describe('A2A 1.0 §4.3.3 Push Notification Payload', () => {
  it('MUST be a StreamResponse, sent as application/a2a+json, in the order of the events', async () => {
    await create();
    await client.send(kitMessage('stream-001', { taskId: task.id }));
    await expect.poll(() => received().at(-1)?.statusUpdate?.status.state).toBe('TASK_STATE_COMPLETED');
    expect(received().map((event) => Object.keys(event)[0])).toEqual([
      'statusUpdate',
      'statusUpdate',
      'artifactUpdate',
      'statusUpdate',
    ]);
    for (const { headers } of webhook.notifications) expect(headers['content-type']).toBe('application/a2a+json');
  });

  it('MUST carry the credentials and the token of the configuration', async () => {
    await create({ token: 'tok-1', authentication: { scheme: 'Basic', credentials: 'dXNlcjpwYXNz' } });
    await client.cancel(task.id);
    await expect.poll(() => webhook.notifications).toHaveLength(1);
    expect(webhook.notifications[0]?.headers).toMatchObject({
      authorization: 'Basic dXNlcjpwYXNz',
      'x-a2a-notification-token': 'tok-1',
    });
  });

  it('MAY be sent again after a failure', async () => {
    webhook.statuses.push(500);
    await create();
    await client.cancel(task.id);
    await expect.poll(() => webhook.notifications.length, { timeout: 20_000 }).toBe(2);
    expect(webhook.notifications[1]?.body).toEqual(webhook.notifications[0]?.body);
  });

  it('§3.2.2 is sent for a configuration inside a message, from the first event on', async () => {
    const configuration = { taskPushNotificationConfig: { url: webhook.url } };
    const { id } = await client.send(kitMessage('stream-artifact-text'), configuration);
    await expect.poll(() => received().at(-1)?.statusUpdate?.status.state).toBe('TASK_STATE_COMPLETED');
    for (const { statusUpdate, artifactUpdate } of received()) {
      expect((statusUpdate ?? artifactUpdate)?.taskId).toBe(id);
    }
  });

  it('§3.2.2 does not depend on returnImmediately', async () => {
    const configuration = { taskPushNotificationConfig: { url: webhook.url }, returnImmediately: true };
    await client.send({ parts: [{ text: 'slow: 50' }] }, configuration);
    await expect.poll(() => received().at(-1)?.statusUpdate?.status.state).toBe('TASK_STATE_COMPLETED');
  });
});
