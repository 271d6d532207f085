import { makeTestDirectory, ServerProcess } from '@cleveragents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AT_ONCE, frameOf, ok, saying, stateOn, subscribe, textOf } from './server-pair.js';

let a: ServerProcess;
let b: ServerProcess;

beforeAll(async () => {
  const variables = {
    NODE_ENV: 'test',
    PATH: process.env.PATH ?? '',
    DATA_DIR: await makeTestDirectory(),
    LOG_LEVEL: 'warn',
    A2A_TEST_AGENT: 'on',
    SHUTDOWN_GRACE_SECONDS: '2s',
  };
  a = await ServerProcess.start(variables);
  b = await ServerProcess.start(variables);
});

afterAll(async () => {
  await b.end('SIGTERM');
  await a.end('SIGTERM');
});

describe('two servers on one data directory, with the database that the first of them started', () => {
  it('serve each other’s tasks: streams, cancels and turns', async () => {
    const { id } = await ok(a, 'message/send', saying('chunks: 1|2|3|4 every 200', {}, AT_ONCE));
    const events = await (await subscribe(b, id)).rest();
    expect(textOf(events)).toBe('1234');
    expect(events.map(frameOf).at(-1)).toMatchObject({ final: true, status: { state: 'completed' } });

    const { id: canceled } = await ok(b, 'message/send', saying('slow: 60000', {}, AT_ONCE));
    const reader = await subscribe(b, canceled);
    await reader.take();
    await ok(a, 'tasks/cancel', { id: canceled });
    expect((await reader.rest()).map(frameOf).at(-1)).toMatchObject({ final: true, status: { state: 'canceled' } });

    const { id: asked } = await ok(a, 'message/send', saying('ask: which?'));
    await ok(b, 'message/send', saying('echo: that one', { taskId: asked }));
    expect(await stateOn(a, asked)).toBe('completed');
  });
});
