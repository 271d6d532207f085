import { OutboundGuard } from '@cleveragents/outbound';
import type { TaskPushNotificationConfig } from '@cleveragents/protocol';
import { TestDatabase } from '@cleveragents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saying, sayingIn03, type TaskPlatform } from '../task-platform.fixture.js';
import { createConfig, getConfig, HeldTask, Names, startPlatform } from './push-platform.fixture.js';
import { Receiver } from './receiver.fixture.js';

const PUBLIC = '93.184.216.34';

const REFUSED = [
  'http://ok.test/h',
  'https://127.0.0.1/h',
  'https://localhost/h',
  'https://[::1]/h',
  'https://[::ffff:10.0.0.7]/h',
  'https://2130706433/h',
  'https://0x7f.1/h',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.64.0.1/h',
  'https://in.test/h',
  'https://half.test/h',
  'https://none.test/h',
  'https://user:pw@ok.test/h',
  'file:///etc/passwd',
  'no url',
];

let database: TestDatabase;
let platform: TaskPlatform;

beforeAll(async () => {
  database = await TestDatabase.create();
  const names = new Names({
    'in.test': [['10.0.0.7']],
    'half.test': [[PUBLIC, '10.0.0.7']],
    'ok.test': [[PUBLIC]],
    localhost: [['127.0.0.1', '::1']],
  });
  const guard = new OutboundGuard({ requireHttps: true, allowLoopback: false }, names);
  // Whatever is stored here is called by nobody.
  platform = await startPlatform({ ROLE: 'api' }, database, guard);
});

afterAll(async () => {
  await platform.stop();
  await database.drop();
});

async function countOf(table: 'task' | 'push_config'): Promise<number> {
  const [row] = await platform.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`);
  return Number(row?.n);
}

describe('R23: the address of a webhook', () => {
  const set = (taskId: string, url: string) =>
    platform.rpc<TaskPushNotificationConfig>('tasks/pushNotificationConfig/set', {
      taskId,
      pushNotificationConfig: { url },
    });

  it.each(REFUSED)('may not be %s, neither for a task nor with a message', async (url) => {
    const { id } = await platform.send(saying('ask: which?'));
    const before = [await countOf('task'), await countOf('push_config')];
    const inline = sayingIn03('echo: x', {}, { pushNotificationConfig: { url } });
    const [frame] = await platform.frames<unknown>('message/stream', inline);
    const answers = [(await set(id, url)).error, (await platform.rpc('message/send', inline)).error, frame?.error];
    for (const error of answers) {
      expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/\burl\b/) as string });
    }
    expect([await countOf('task'), await countOf('push_config')]).toEqual(before);
  });

  it('is refused in the same words where it is private and where it does not resolve', async () => {
    const { id } = await platform.send(saying('ask: which?'));
    const messages = ['https://in.test/h', 'https://none.test/h', 'https://169.254.169.254/latest/meta-data/'].map(
      async (url) => (await set(id, url)).error?.message,
    );
    expect(new Set(await Promise.all(messages)).size).toBe(1);
  });

  it('may be any public one', async () => {
    const { id } = await platform.send(saying('ask: which?'));
    const { result } = await set(id, 'https://ok.test/redir?a=1');
    expect(result).toEqual({ taskId: id, pushNotificationConfig: { id: 'default', url: 'https://ok.test/redir?a=1' } });
  });

  it('is checked again at every call: a name that leads here by now is not followed', async () => {
    const inside = await Receiver.start();
    const names = new Names({ 'flip.test': [[PUBLIC], ['127.0.0.1']] });
    const guard = new OutboundGuard({ requireHttps: false, allowLoopback: false }, names);
    const caller = await startPlatform({}, database, guard);
    const task = await HeldTask.start(caller);
    const config = await createConfig(caller, task.id, { url: `http://flip.test:${inside.port}/h` });
    await task.chunk('a');
    const reason = async () => (await getConfig(caller, config)).result?.delivery?.reason;
    await expect.poll(reason).toBe('ADDRESS_REFUSED');
    expect(inside.connections).toBe(0);
    await caller.stop();
    await inside.stop();
  });
});
