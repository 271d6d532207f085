import { createHash } from 'node:crypto';
import { PublishedKeys } from '@cleveragents/auth';
import { newUlid } from '@cleveragents/kernel';
import type { StreamResponse, Task } from '@cleveragents/protocol';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callOf, seqOf as seqOfFrame, StreamReader, type TaskPlatform } from '../task-platform.fixture.js';
import { createConfig, delivered, getConfig, HeldTask, startPlatform, V1 } from './push-platform.fixture.js';
import { Receiver, SILENCE, type Reaction, type ReceivedCall } from './receiver.fixture.js';

const CREDENTIALS = { token: 'nt-1', authentication: { scheme: 'Bearer', credentials: 'tok-one' } };

let platform: TaskPlatform;
let receiver: Receiver;

beforeAll(async () => {
  platform = await startPlatform();
});

afterAll(() => platform.stop());

beforeEach(async () => {
  receiver = await Receiver.start();
});

afterEach(() => receiver.stop());

const eventOf = ({ text }: ReceivedCall) => JSON.parse(text) as StreamResponse;
const taskOf = ({ text }: ReceivedCall) => JSON.parse(text) as Task & { kind?: string; sessionId?: string };
const stateOf = (call: ReceivedCall) => eventOf(call).statusUpdate?.status.state;
const isOver = (calls: readonly ReceivedCall[]) => calls.some((call) => stateOf(call) === 'TASK_STATE_COMPLETED');
const ascending = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

/** How often each event came. */
function attempts(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const seq of receiver.seqs) counts[seq] = (counts[seq] ?? 0) + 1;
  return counts;
}

describe('R24: a webhook', () => {
  it('gets every event in order, and each under the same number until it has accepted it', async () => {
    receiver.react(500, 500, 204);
    const task = await HeldTask.start(platform);
    await createConfig(platform, task.id, { url: receiver.url, ...CREDENTIALS });
    await task.chunk('a');
    await task.chunk('b');
    await task.complete();
    const calls = await receiver.until(isOver);

    expect(attempts()).toEqual({ 3: 3, 4: 1, 5: 1 });
    expect(receiver.seqs).toEqual(ascending(receiver.seqs));
    const bodies = new Set(calls.slice(0, 3).map(({ text }) => text));
    expect(bodies.size).toBe(1);
    for (const { headers } of calls) {
      expect(headers).toMatchObject({ authorization: 'Bearer tok-one', 'x-a2a-notification-token': 'nt-1' });
    }
  });

  it('hears of what follows its configuration, and no more once that is deleted', async () => {
    const task = await HeldTask.start(platform);
    await task.chunk('before');
    const { id } = await createConfig(platform, task.id, { url: receiver.url });
    await task.chunk('between');
    await receiver.until((calls) => calls.length === 1);
    await delivered(platform, task.id);
    await platform.rpc('DeleteTaskPushNotificationConfig', { taskId: task.id, id }, V1);
    const other = await Receiver.start();
    await createConfig(platform, task.id, { url: other.url });
    await task.complete();
    await other.until(isOver);
    expect(receiver.seqs).toEqual([4]);
    await other.stop();
  });

  it('that is silent keeps no stream and no other webhook waiting', async () => {
    receiver.react(SILENCE);
    const task = await HeldTask.start(platform);
    const stream = new StreamReader(platform.streams.subscribe({ id: task.id }, callOf()));
    const other = await Receiver.start();
    for (const { url } of [receiver, other]) await createConfig(platform, task.id, { url });
    await task.chunk('a');
    await receiver.until((calls) => calls.length === 1);
    await task.complete();
    const frames = await stream.ended;
    await other.until(isOver);
    // The first call is still open: nothing of the rest has waited for its end.
    expect(receiver.seqs).toEqual([3]);
    expect(frames.map(seqOfFrame)).toEqual([2, 3, 4]);
    await other.stop();
  });

  it('that is gone is disabled at once and visibly, until it is set again', async () => {
    receiver.react(410);
    const task = await HeldTask.start(platform);
    const config = await createConfig(platform, task.id, { url: receiver.url });
    await task.chunk('a');
    const read = async () => (await getConfig(platform, config)).result?.delivery;
    await expect.poll(read).toEqual({ state: 'disabled', reason: 'HTTP_410', failures: 1 });
    const key = { taskId: task.id, pushNotificationConfigId: config.id };
    const { result } = await platform.rpc('pushNotificationConfig/get', key);
    expect(result).toMatchObject({ pushNotificationConfig: { delivery: { state: 'disabled' } } });
    await task.chunk('b');
    const other = await Receiver.start();
    await createConfig(platform, task.id, { id: 'other', url: other.url });
    await task.complete();
    await other.until(isOver);
    expect(receiver.seqs).toEqual([3]);

    receiver.react(204);
    const again = await createConfig(platform, task.id, { id: config.id, url: receiver.url });
    expect(again).toEqual(config);
    await receiver.until(isOver);
    expect(receiver.seqs).toEqual([3, 3, 4, 5]);
    await other.stop();
  });

  it('that never answers well is given up in the end, which is audited and logged without its path', async () => {
    receiver.react(500);
    const task = await HeldTask.start(platform);
    const config = await createConfig(platform, task.id, { url: receiver.url });
    await platform.query('UPDATE push_config SET failures = 99 WHERE task_id = $1', [task.id]);
    await task.chunk('a');
    const read = async () => (await getConfig(platform, config)).result?.delivery;
    await expect.poll(read).toEqual({ state: 'disabled', reason: 'HTTP_500', failures: 100 });
    const [{ details } = { details: '' }] = await platform.query<{ details: string }>(
      `SELECT details FROM audit WHERE event = 'push_config_changed' AND task_id = $1 ORDER BY id DESC LIMIT 1`,
      [task.id],
    );
    const url_host = `127.0.0.1:${receiver.port}`;
    expect(JSON.parse(details)).toEqual({ config_id: config.id, change: 'disabled', url_host, reason: 'HTTP_500' });
    const lines = platform.log.filter(({ task_id }) => task_id === task.id);
    expect(lines).toContainEqual(expect.objectContaining({ config_id: config.id, url_host, reason: 'HTTP_500' }));
    expect(JSON.stringify(lines)).not.toContain('/hook');
  });

  it('is called again after failures, and then has none', async () => {
    receiver.react(500, 204);
    const task = await HeldTask.start(platform);
    const config = await createConfig(platform, task.id, { url: receiver.url });
    await task.chunk('a');
    await receiver.until((calls) => calls.length === 1);
    const read = async () => (await getConfig(platform, config)).result?.delivery ?? null;
    await receiver.until((calls) => calls.length === 2);
    await expect.poll(read).toBeNull();
  });

  it('is not led elsewhere, and may answer what it likes', async () => {
    const elsewhere = await Receiver.start();
    const redirect: Reaction = (_, response) => response.writeHead(302, { location: elsewhere.url }).end();
    const flood: Reaction = (_, response) => response.writeHead(200).end('x'.repeat(200_000));
    receiver.react(redirect, flood, 204);
    const task = await HeldTask.start(platform);
    await createConfig(platform, task.id, { url: receiver.url });
    await task.chunk('a');
    await task.complete();
    await receiver.until(isOver);
    expect(attempts()).toEqual({ 3: 2, 4: 1 });
    expect(elsewhere.calls).toEqual([]);
    await elsewhere.stop();
  });
});

describe('what is posted', () => {
  it('is in 1.0 the event as a stream shows it', async () => {
    const task = await HeldTask.start(platform, { url: receiver.url });
    const stream = new StreamReader(platform.streams.subscribe({ id: task.id }, callOf()));
    await stream.seen(1);
    await task.chunk('a');
    await task.complete();
    const frames = await stream.ended;
    const calls = await receiver.until(isOver);
    expect(calls.map(({ headers }) => headers['content-type'])).toEqual(calls.map(() => 'application/a2a+json'));
    expect(calls.slice(2).map(eventOf)).toEqual(frames.slice(1).map((frame) => frame.value()));
    expect(calls.slice(0, 2).map(stateOf)).toEqual(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']);
  });

  it('is in 0.3 the Task as the event left it', async () => {
    receiver.react(204, 500, 204);
    const task = await HeldTask.start(platform);
    const pushNotificationConfig = { url: receiver.url };
    await platform.rpc('tasks/pushNotificationConfig/set', { taskId: task.id, pushNotificationConfig });
    await task.chunk('a');
    await task.chunk('b');
    await task.complete();
    const calls = await receiver.until((all) => all.length === 4);
    const shown = calls.map((call) => {
      const { kind, id, status, artifacts } = taskOf(call);
      const texts = artifacts?.flatMap(({ parts }) => parts.map((part) => part.text));
      return { type: call.headers['content-type'], kind, id, state: status.state, texts };
    });
    const common = { type: 'application/json', kind: 'task', id: task.id };
    expect(receiver.seqs).toEqual([3, 4, 4, 5]);
    expect(shown).toEqual([
      { ...common, state: 'working', texts: ['a'] },
      { ...common, state: 'working', texts: ['a', 'b'] },
      { ...common, state: 'working', texts: ['a', 'b'] },
      { ...common, state: 'completed', texts: ['a', 'b'] },
    ]);
  });

  it('is in 0.1 the Task under the name that the client gave it', async () => {
    const [id, sessionId] = [`mine-${newUlid()}`, newUlid()];
    const message = { role: 'user', parts: [{ type: 'text', text: 'echo: x' }] };
    const own = await startPlatform({}, platform.database);
    await own.rpc('tasks/send', { id, sessionId, message, pushNotification: { url: receiver.url } });
    const calls = await receiver.until((all) => all.some(({ text }) => text.includes('"completed"')));
    for (const call of calls) expect(taskOf(call)).toMatchObject({ id, sessionId });
    expect(taskOf(calls.at(-1) as ReceivedCall).artifacts?.[0]?.parts).toEqual([{ type: 'text', text: 'x' }]);
    await own.stop();
  });

  it('is signed for its receiver with a published key', async () => {
    const task = await HeldTask.start(platform, { url: `${receiver.url}?a=1` });
    await task.complete();
    const calls = await receiver.until(isOver);
    const keys = createLocalJWKSet({ keys: [...(await platform.module.get(PublishedKeys, { strict: false }).list())] });
    const claims = await Promise.all(
      calls.map(async ({ headers, text }) => {
        const options = { audience: new URL(receiver.url).origin, issuer: 'http://127.0.0.1:3000', maxTokenAge: '5m' };
        const { payload } = await jwtVerify(String(headers['x-a2a-signature']), keys, options);
        expect(payload.request_body_sha256).toBe(createHash('sha256').update(text).digest('hex'));
        expect(Number(payload.exp) - Number(payload.iat)).toBe(300);
        return payload;
      }),
    );
    expect(claims.map(({ task_id, seq }) => ({ task_id, seq }))).toEqual(
      [1, 2, 3].map((seq) => ({ task_id: task.id, seq })),
    );
    expect(new Set(claims.map(({ jti }) => jti)).size).toBe(3);
  });

  it('says what it is about beside the body', async () => {
    const task = await HeldTask.start(platform, { url: receiver.url });
    const [call] = await receiver.until((calls) => calls.length > 0);
    expect(call?.headers).toMatchObject({
      'x-a2a-event-id': `${task.id}-1`,
      'x-a2a-event-seq': '1',
      'x-a2a-timestamp': expect.stringMatching(/^\d{4}-.*Z$/) as string,
      'x-correlation-id': expect.stringMatching(/^[0-9A-Z]{26}$/) as string,
      'a2a-version': '1.0',
    });
    expect(call?.headers).not.toHaveProperty('authorization');
    expect(call?.headers).not.toHaveProperty('x-a2a-notification-token');
  });

  it('carries the signature as its bearer token where the client left that to the server', async () => {
    await HeldTask.start(platform, { url: receiver.url, authentication: { scheme: 'bearer' } });
    const [call] = await receiver.until((calls) => calls.length > 0);
    expect(call?.headers.authorization).toBe(`bearer ${String(call?.headers['x-a2a-signature'])}`);
  });
});
