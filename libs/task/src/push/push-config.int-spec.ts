import { newUlid, type Principal } from '@cleveragents/kernel';
import type { ListTaskPushNotificationConfigsResponse, TaskPushNotificationConfig } from '@cleveragents/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saying, sayingIn03, STRANGER, type Answer, type TaskPlatform } from '../task-platform.fixture.js';
import { createConfig, getConfig, startPlatform, V1 } from './push-platform.fixture.js';
import { Receiver, SILENCE } from './receiver.fixture.js';

const HIDDEN = '********';
const SECRETS = { token: 'nt-secret-1', authentication: { scheme: 'Bearer', credentials: 'tok-secret-1' } };

interface Config03 {
  readonly taskId: string;
  readonly pushNotificationConfig: { readonly id: string; readonly url: string };
}

let platform: TaskPlatform;
/** Its silence keeps the first call to every webhook under way. */
let silent: Receiver;

beforeAll(async () => {
  platform = await startPlatform();
  silent = await Receiver.start([SILENCE]);
});

afterAll(async () => {
  await platform.stop();
  await silent.stop();
});

const waitingTask = async () => (await platform.send(saying('ask: which?'))).id;
const finishedTask = async () => (await platform.send(saying('echo: x'))).id;

async function countConfigs(): Promise<number> {
  const [row] = await platform.query<{ n: string }>('SELECT count(*) AS n FROM push_config');
  return Number(row?.n);
}

function list(taskId: string, page: object = {}): Promise<Answer<ListTaskPushNotificationConfigsResponse>> {
  return platform.rpc('ListTaskPushNotificationConfigs', { taskId, ...page }, V1);
}

describe('R24: a configuration', () => {
  it.each(['CreateTaskPushNotificationConfig', 'pushNotificationConfig/create'])(
    'by %s without an id is a new one every time, and reads as it was answered',
    async (method) => {
      const taskId = await waitingTask();
      const create = () =>
        platform.rpc<TaskPushNotificationConfig>(method, { taskId, url: silent.url, ...SECRETS }, V1);
      const [first, second] = [(await create()).result, (await create()).result];
      expect(first?.id).not.toBe(second?.id);
      const { result } = await list(taskId);
      expect(result).toEqual({ configs: [first, second], nextPageToken: '' });
      expect((await getConfig(platform, { taskId, id: first?.id ?? '' })).result).toEqual(first);
    },
  );

  it('that is set without an id is the one named default', async () => {
    const id = await waitingTask();
    const set = (url: string) =>
      platform.rpc<Config03>('tasks/pushNotificationConfig/set', { taskId: id, pushNotificationConfig: { url } });
    await set(silent.url);
    const { result } = await set(`${silent.url}2`);
    const expected = { taskId: id, pushNotificationConfig: { id: 'default', url: `${silent.url}2` } };
    expect(result).toEqual(expected);
    expect((await platform.rpc('tasks/pushNotificationConfig/get', { id })).result).toEqual(expected);
    expect((await platform.rpc('tasks/pushNotificationConfig/list', { id })).result).toEqual([expected]);
    const key = { id, pushNotificationConfigId: 'default' };
    expect((await platform.rpc('tasks/pushNotificationConfig/delete', key)).result).toBeNull();
    expect((await platform.rpc('tasks/pushNotificationConfig/list', { id })).result).toEqual([]);
  });

  it('of A2A 0.1 belongs to the task that its client named', async () => {
    const id = `mine-${newUlid()}`;
    const message = { role: 'user', parts: [{ type: 'text', text: 'ask: which?' }] };
    await platform.rpc('tasks/send', { id, message, pushNotification: { url: silent.url } });
    const read = () => platform.rpc('tasks/pushNotification/get', { id });
    expect((await read()).result).toEqual({ id, pushNotificationConfig: { url: silent.url } });
    const authentication = { schemes: ['Bearer'], credentials: 'tok' };
    const pushNotificationConfig = { url: `${silent.url}2`, authentication };
    await platform.rpc('tasks/pushNotification/set', { id, pushNotificationConfig });
    const shown = { url: `${silent.url}2`, authentication: { schemes: ['Bearer'], credentials: HIDDEN } };
    expect((await read()).result).toEqual({ id, pushNotificationConfig: shown });
  });

  it.each([
    ['authentication.credentials', { authentication: { scheme: 'Bearer', credentials: 'a\r\nX-Evil: 1' } }],
    ['authentication.credentials', { authentication: { scheme: 'Bearer', credentials: '  ' } }],
    ['authentication.scheme', { authentication: { credentials: 'x' } }],
    ['token', { token: 'a\nb' }],
    ['token', { token: HIDDEN }],
    ['url', { url: 'http://127.0.0.1/\r\nHost: x' }],
    ['url', { url: 'ftp://127.0.0.1/' }],
    ['url', { url: 'http://10.0.0.7/hook' }],
    ['url', { url: `http://127.0.0.1/${'x'.repeat(2048)}` }],
  ])('is refused for its %s, and nothing is stored', async (path, settings) => {
    const taskId = await waitingTask();
    const before = await countConfigs();
    const params = { taskId, url: silent.url, ...settings };
    const { error } = await platform.rpc('CreateTaskPushNotificationConfig', params, V1);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(path) as string });
    expect(await countConfigs()).toBe(before);
  });

  it('shows its secrets nowhere: not in answers, in rows or in the log', async () => {
    const taskId = await waitingTask();
    const config = await createConfig(platform, taskId, { url: silent.url, ...SECRETS });
    expect(config).toEqual({
      taskId,
      id: config.id,
      url: silent.url,
      token: HIDDEN,
      authentication: { scheme: 'Bearer', credentials: HIDDEN },
    });
    const told = [
      config,
      (await getConfig(platform, config)).result,
      (await list(taskId)).result,
      (await platform.rpc('pushNotificationConfig/list', { taskId })).result,
      await platform.query('SELECT * FROM push_config'),
      await platform.query('SELECT * FROM audit'),
      platform.log,
    ];
    for (const what of told) expect(JSON.stringify(what)).not.toMatch(/nt-secret|tok-secret/);
  });

  it('is deleted once and for all, however often', async () => {
    const config = await createConfig(platform, await waitingTask(), { url: silent.url });
    const { taskId, id } = config;
    const remove = () => platform.rpc('DeleteTaskPushNotificationConfig', { taskId, id }, V1);
    expect((await remove()).result).toBeNull();
    expect((await remove()).result).toBeNull();
    expect((await getConfig(platform, config)).error).toMatchObject({ code: -32001 });
    expect((await list(taskId)).result?.configs).toEqual([]);
  });
});

describe('the configurations of a task', () => {
  it('may be made when it is over', async () => {
    const taskId = await finishedTask();
    const config = await createConfig(platform, taskId, { url: silent.url });
    expect((await list(taskId)).result?.configs).toEqual([config]);
  });

  it('are listed in pages', async () => {
    const taskId = await waitingTask();
    const ids: string[] = [];
    for (const id of ['a', 'b', 'c']) ids.push((await createConfig(platform, taskId, { id, url: silent.url })).id);
    const first = (await list(taskId, { pageSize: 2 })).result;
    const second = (await list(taskId, { pageSize: 2, pageToken: first?.nextPageToken })).result;
    expect(first?.configs.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(second?.configs.map(({ id }) => id)).toEqual(['c']);
    expect(second?.nextPageToken).toBe('');
    for (const page of [{ pageToken: '?' }, { pageToken: 'AA' }, { pageSize: 0 }, { pageSize: 101 }]) {
      expect((await list(taskId, page)).error).toMatchObject({ code: -32602 });
    }
  });

  it('are not many', async () => {
    const taskId = await finishedTask();
    for (let n = 0; n < 50; n += 1) await createConfig(platform, taskId, { url: silent.url });
    const { error } = await platform.rpc('CreateTaskPushNotificationConfig', { taskId, url: silent.url }, V1);
    expect(error).toMatchObject({ code: -32004 });
    expect((await list(taskId, { pageSize: 100 })).result?.configs).toHaveLength(50);
  });

  it('are their owner’s alone', async () => {
    const config = await createConfig(platform, await waitingTask(), { url: silent.url });
    const { taskId, id } = config;
    const colleague: Principal = { ...STRANGER, grants: new Map([['local', 'owner']]) };
    const calls: Record<string, object> = {
      CreateTaskPushNotificationConfig: { url: silent.url },
      GetTaskPushNotificationConfig: { id },
      ListTaskPushNotificationConfigs: {},
      DeleteTaskPushNotificationConfig: { id },
    };
    for (const [method, params] of Object.entries(calls)) {
      const as = (identity: Principal) => platform.rpc(method, { taskId, ...params }, { ...V1, identity });
      expect((await as(STRANGER)).error).toMatchObject({ code: -32001 });
      expect((await as(colleague)).error).toMatchObject({ code: -31003 });
      const unknown = await platform.rpc(method, { taskId: 'no-task', ...params }, V1);
      expect(unknown.error).toMatchObject({ code: -32001 });
    }
    expect((await getConfig(platform, config)).result).toEqual(config);
  });

  it('that nothing could be named are not there', async () => {
    const taskId = await waitingTask();
    expect((await getConfig(platform, { taskId, id: 'no-config' })).error).toMatchObject({ code: -32001 });
    expect((await getConfig(platform, { taskId, id: '\0' })).error).toMatchObject({ code: -32602 });
    const { error } = await platform.rpc('tasks/pushNotificationConfig/get', { id: taskId });
    expect(error).toMatchObject({ code: -32001 });
  });

  it('leave an audit record per change, with no more of the address than its host', async () => {
    const taskId = await waitingTask();
    const url = `${silent.url}/secret-path?key=secret-query`;
    const { id } = await createConfig(platform, taskId, { id: 'one', url });
    await createConfig(platform, taskId, { id, url });
    await platform.rpc('DeleteTaskPushNotificationConfig', { taskId, id }, V1);
    await platform.rpc('DeleteTaskPushNotificationConfig', { taskId, id }, V1);
    const rows = await platform.query<{ details: string; user_identity: string; namespace: string }>(
      `SELECT details, user_identity, namespace FROM audit WHERE event = 'push_config_changed' AND task_id = $1 ORDER BY id`,
      [taskId],
    );
    const facts = rows.map(({ details, ...row }) => ({ ...row, ...(JSON.parse(details) as object) }));
    const by = {
      user_identity: 'local-owner',
      namespace: 'local',
      config_id: 'one',
      url_host: `127.0.0.1:${silent.port}`,
    };
    expect(facts).toEqual(['created', 'updated', 'deleted'].map((change) => ({ ...by, change })));
    expect(JSON.stringify([rows, platform.log])).not.toMatch(/secret-path|secret-query/);
  });
});

describe('a configuration that comes with a message', () => {
  const withConfig = (settings: object) => ({ configuration: { taskPushNotificationConfig: settings } });

  it('hears of the task from its first event on', async () => {
    const receiver = await Receiver.start();
    const { id } = await platform.send(saying('echo: x', {}, withConfig({ url: receiver.url })));
    await receiver.until((calls) => calls.some(({ text }) => text.includes('COMPLETED')));
    expect(receiver.seqs).toEqual(Array.from({ length: receiver.calls.length }, (_, index) => index + 1));
    expect((await list(id)).result?.configs).toHaveLength(1);
    await receiver.stop();
  });

  it('is the same for every copy of the message, and another one for the next message', async () => {
    const params = saying('ask: which?', {}, withConfig({ url: silent.url }));
    const { id } = await platform.send(params);
    expect((await platform.send(params)).id).toBe(id);
    expect((await list(id)).result?.configs).toHaveLength(1);
    await platform.send(saying('ask: and now?', { taskId: id }, withConfig({ url: silent.url })));
    expect((await list(id)).result?.configs).toHaveLength(2);
  });

  it('is left out where there is no task', async () => {
    const before = await countConfigs();
    const message = { messageId: `tck-message-response-${newUlid()}` };
    await platform.send(saying('hi', message, withConfig({ url: silent.url })));
    expect(await countConfigs()).toBe(before);
  });

  it('that the task’s owner did not send is refused, and so is its message', async () => {
    const { id } = await platform.send(saying('ask: which?'));
    const identity: Principal = { ...STRANGER, grants: new Map([['local', 'owner']]) };
    const message = saying('echo: x', { taskId: id }, withConfig({ url: silent.url }));
    const { error } = await platform.rpc('SendMessage', message, { ...V1, identity });
    expect(error).toMatchObject({ code: -31003 });
    expect((await platform.get(id)).history).toHaveLength(2);
    expect((await list(id)).result?.configs).toEqual([]);
  });

  it('is not stored when its message is refused', async () => {
    const id = await finishedTask();
    const { error } = await platform.rpc(
      'SendMessage',
      saying('x', { taskId: id }, withConfig({ url: silent.url })),
      V1,
    );
    expect(error).toMatchObject({ code: -32004 });
    expect((await list(id)).result?.configs).toEqual([]);
  });

  it.each([
    ['url', { url: 'file:///etc/passwd' }],
    [
      'authentication.credentials',
      { url: 'http://127.0.0.1/', authentication: { schemes: ['Bearer'], credentials: ' ' } },
    ],
  ])('R24: is refused for its %s before there is a task', async (path, config) => {
    const tasks = async () => (await platform.query('SELECT id FROM task')).length;
    const [tasksBefore, before] = [await tasks(), await countConfigs()];
    const params = sayingIn03('echo: x', {}, { pushNotificationConfig: config });
    const [frame] = await platform.frames<unknown>('message/stream', params);
    for (const { error } of [await platform.rpc('message/send', params), frame ?? { error: undefined }]) {
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(path) as string });
    }
    expect([await tasks(), await countConfigs()]).toEqual([tasksBefore, before]);
  });
});
