import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PublishedKeys } from '@cleveragents/auth';
import { TestDatabase } from '@cleveragents/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { saying, type TaskPlatform } from '../task-platform.fixture.js';
import { createConfig, delivered, getConfig, HeldTask, startPlatform, V1 } from './push-platform.fixture.js';
import { Receiver, SILENCE, type ReceivedCall } from './receiver.fixture.js';

const SECRETS = { token: 'nt-1', authentication: { scheme: 'Bearer', credentials: 'tok-one' } };

let database: TestDatabase;
let receiver: Receiver;
const platforms: TaskPlatform[] = [];

beforeAll(async () => {
  database = await TestDatabase.create();
});

afterAll(() => database.drop());

beforeEach(async () => {
  receiver = await Receiver.start();
});

afterEach(async () => {
  await Promise.all(platforms.splice(0).map((platform) => platform.stop()));
  await receiver.stop();
});

async function start(variables: Record<string, string> = {}): Promise<TaskPlatform> {
  const platform = await startPlatform(variables, database);
  platforms.push(platform);
  return platform;
}

/** An orderly end: what the process was delivering is given up. */
async function stop(platform: TaskPlatform): Promise<void> {
  platforms.splice(platforms.indexOf(platform), 1);
  await platform.stop();
}

const isOver = (calls: readonly ReceivedCall[]) => calls.some(({ text }) => text.includes('TASK_STATE_COMPLETED'));

describe('webhooks of several servers on one database', () => {
  it('are called by one of them at a time, whichever runs the task', async () => {
    const [own, other] = [await start({ SWEEP_SECONDS: '100ms' }), await start({ SWEEP_SECONDS: '100ms' })];
    const { id } = await own.send(saying('ask: which?'));
    await createConfig(other, id, { url: receiver.url });
    const [asked] = await own.query<{ seq: number }>('SELECT last_seq AS seq FROM task WHERE id = $1', [id]);
    await other.send(saying('chunks: a|b|c|d|e|f every 10', { taskId: id }));
    const calls = await receiver.until(isOver);
    await delivered(own, id);
    expect(receiver.seqs).toEqual(Array.from({ length: calls.length }, (_, index) => Number(asked?.seq) + 1 + index));
  });

  it('are called for commits of servers that only answer calls', async () => {
    await start({ ROLE: 'worker' });
    const api = await start({ ROLE: 'api' });
    const task = await HeldTask.start(api, { url: receiver.url });
    await task.complete();
    await receiver.until(isOver);
    expect(receiver.seqs).toEqual([1, 2, 3]);
  });

  it('are taken over from one that stopped in the middle of a call', async () => {
    receiver.react(SILENCE);
    const own = await start();
    const { id } = await own.send(
      saying('ask: which?', {}, { configuration: { taskPushNotificationConfig: { url: receiver.url } } }),
    );
    await receiver.until((calls) => calls.length === 1);
    await stop(own);
    const onlooker = await start({ ROLE: 'api' });
    const [row] = await onlooker.query<object>(
      'SELECT state, failures, delivered_seq FROM push_config WHERE task_id = $1',
      [id],
    );
    expect(row).toEqual({ state: 'active', failures: 0, delivered_seq: 0 });
    receiver.react(204);
    await start();
    await delivered(onlooker, id);
    expect(receiver.seqs.slice(0, 3)).toEqual([1, 1, 2]);
  });

  it('are taken over from one that died', async () => {
    receiver.react(SILENCE);
    const own = await start();
    const task = await HeldTask.start(own, { url: receiver.url });
    await receiver.until((calls) => calls.length === 1);
    const other = await start({ SWEEP_SECONDS: '100ms' });
    receiver.react(204);
    // As seen by the others, once its lease has run out.
    await other.query(
      'UPDATE runner SET ended_at = now() WHERE id = (SELECT claimed_by FROM push_config WHERE task_id = $1)',
      [task.id],
    );
    await receiver.until((calls) => calls.length === 3);
    expect(receiver.seqs).toEqual([1, 1, 2]);
  });

  it('keep what is due over a restart', async () => {
    receiver.react(500);
    const own = await start();
    const task = await HeldTask.start(own, { url: receiver.url, ...SECRETS });
    await task.complete();
    await receiver.until((calls) => calls.length === 1);
    await stop(own);
    receiver.react(204);
    await start({ SWEEP_SECONDS: '100ms' });
    const calls = await receiver.until(isOver);
    expect(calls.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer tok-one',
      'x-a2a-notification-token': 'nt-1',
    });
  });
});

describe('the keys of webhooks', () => {
  const key = () => randomBytes(32).toString('base64');
  const [first, second] = [key(), key()];

  async function withKeys(...keys: string[]): Promise<TaskPlatform> {
    const path = join(database.dataDir, 'keys');
    await writeFile(path, keys.join('\n'));
    return start({ ENCRYPTION_KEY_FILE: path, SWEEP_SECONDS: '100ms' });
  }

  const kidsOf = async (platform: TaskPlatform) => {
    const keys = await platform.module.get(PublishedKeys, { strict: false }).list();
    return keys.map(({ kid }) => kid);
  };

  it('change with the first line of their file; what the older ones sealed is sealed again', async () => {
    let platform = await withKeys(first);
    const { id } = await platform.send(saying('ask: which?'));
    await createConfig(platform, id, { id: 'c', url: receiver.url, ...SECRETS });
    const sealed = async () =>
      (
        await platform.query<{ key_id: string; token: string }>('SELECT * FROM push_config WHERE task_id = $1', [id])
      )[0];
    const [before, oldKids] = [await sealed(), await kidsOf(platform)];
    await stop(platform);

    platform = await withKeys(second, first);
    const [after, kids] = [await sealed(), await kidsOf(platform)];
    expect(after?.key_id).not.toBe(before?.key_id);
    expect(after?.token).not.toBe(before?.token);
    expect(kids).toEqual([expect.not.stringMatching(String(oldKids[0])), oldKids[0]]);
    await stop(platform);

    platform = await withKeys(second);
    await platform.send(saying('echo: x', { taskId: id }));
    const calls = await receiver.until(isOver);
    expect(calls.at(-1)?.headers).toMatchObject({ authorization: 'Bearer tok-one' });
  });

  it('that are missing keep a webhook from being called, not from being seen', async () => {
    let platform = await withKeys(first);
    const { id } = await platform.send(saying('ask: which?'));
    const config = await createConfig(platform, id, { id: 'c', url: receiver.url, ...SECRETS });
    await stop(platform);
    platform = await withKeys(second);
    expect((await getConfig(platform, config)).result).toEqual(config);
    expect(platform.log.some(({ msg }) => String(msg).startsWith('Not called, because a key is missing'))).toBe(true);
    const other = await Receiver.start();
    await createConfig(platform, id, { id: 'd', url: other.url, ...SECRETS });
    await platform.send(saying('echo: x', { taskId: id }));
    await other.until(isOver);
    expect(receiver.calls).toEqual([]);
    await platform.rpc('DeleteTaskPushNotificationConfig', { taskId: id, id: 'c' }, V1);
    await other.stop();
  });

  it('must be there where the configuration says so', async () => {
    const path = join(database.dataDir, 'no-keys');
    const message = 'The file of ENCRYPTION_KEY_FILE cannot be read, or holds no keys';
    await expect(startPlatform({ ENCRYPTION_KEY_FILE: path }, database)).rejects.toThrow(message);
  });
});
