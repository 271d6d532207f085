import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AT_ONCE, frameOf, ok, saying, ServerPair, stateOn, subscribe } from './server-pair.js';

const QUICK = { LEASE_SECONDS: '2s', HEARTBEAT_SECONDS: '500ms', SWEEP_SECONDS: '500ms' };
const LOST = { final: true, status: { state: 'failed' }, metadata: { reason: 'AGENT_LOST' } };
const PATIENCE = { timeout: 30_000 };

let pair: ServerPair;

beforeAll(async () => {
  pair = await ServerPair.create();
});

afterEach(() => pair.stop());
afterAll(() => pair.database.drop());

describe('a server that is lost while it runs a task', () => {
  it('R21: by kill -9: the task fails as AGENT_LOST, which its readers on the other server see as its last event', async () => {
    const [a, b] = await pair.both(QUICK);
    const { id } = await ok(a, 'message/send', saying('slow: 60000', {}, AT_ONCE));
    const reader = await subscribe(b, id);
    await reader.take();
    await a.end('SIGKILL');
    const events = await reader.rest();
    expect(events.map(frameOf).at(-1)).toMatchObject(LOST);
    expect(await stateOn(b, id)).toBe('failed');
    expect(await pair.loggedStates(id)).toEqual(['SUBMITTED', 'WORKING', 'FAILED']);
  });

  it('R21: and wakes again: what it writes is refused, the task stays failed', async () => {
    const [a, b] = await pair.both(QUICK);
    const { id } = await ok(a, 'message/send', saying('chunks: 1|2|3|4|5|6 every 1000', {}, AT_ONCE));
    const onA = await subscribe(a, id);
    await onA.take();
    a.suspend();
    await expect.poll(() => stateOn(b, id), PATIENCE).toBe('failed');
    const before = await pair.loggedStates(id);
    a.resume();
    expect((await onA.rest()).map(frameOf).at(-1)).toMatchObject(LOST);
    await expect.poll(() => a.log, PATIENCE).toContain('lost its lease');
    expect(await stateOn(a, id)).toBe('failed');
    expect(await pair.loggedStates(id)).toEqual(before);
    expect(before.filter((state) => state === 'FAILED')).toHaveLength(1);
    // It goes on under another name.
    const { id: next } = await ok(a, 'message/send', saying('slow: 60000', {}, AT_ONCE));
    expect(await ok(b, 'tasks/cancel', { id: next })).toMatchObject({ status: { state: 'canceled' } });
  });

  it('R21: and is started again at once: no lease has to run out, and nothing runs twice', async () => {
    const [a, b] = await pair.both();
    const { id } = await ok(a, 'message/send', saying('slow: 60000', {}, AT_ONCE));
    const reader = await subscribe(b, id);
    await a.end('SIGKILL');
    const again = await pair.start();
    expect(await stateOn(again, id)).toBe('failed');
    expect((await reader.rest()).map(frameOf).at(-1)).toMatchObject(LOST);
    expect(await pair.loggedStates(id)).toEqual(['SUBMITTED', 'WORKING', 'FAILED']);
  });
});
