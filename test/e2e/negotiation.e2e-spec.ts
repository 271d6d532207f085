import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestServer, textMessage, type JsonRpcAnswer } from './test-server.js';

const URN = 'urn:cleveragents:extensions:v1';
const NEWER_URN = 'urn:cleveragents:extensions:v2';
const SUPPORTED = ['0.1', '0.3', '1.0'];

interface Reply {
  readonly headers: Headers;
  readonly answer: JsonRpcAnswer;
}

async function call(
  server: TestServer,
  method: string,
  params: object,
  headers: Readonly<Record<string, string>> = {},
  query = '',
): Promise<Reply> {
  const response = await fetch(`${server.url}/a2a${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}`, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  expect(response.status).toBe(200);
  return { headers: response.headers, answer: (await response.json()) as JsonRpcAnswer };
}

/** What the error says besides its number, wherever the generation keeps it. */
function detailsOf({ error }: JsonRpcAnswer): unknown {
  const data = error?.data;
  return Array.isArray(data) ? data.at(-1) : data;
}

let lenient: TestServer;
let strict: TestServer;

beforeAll(async () => {
  lenient = await TestServer.start();
  strict = await TestServer.start({ A2A_EXTENSION_REQUIRED: 'on' });
});

afterAll(async () => {
  await lenient.stop();
  await strict.stop();
});

describe('R28.1: versions', () => {
  const unknown = { id: 'no-such-task' };

  it.each([
    ['tasks/get', undefined, null],
    ['tasks/get', '', null],
    ['tasks/get', '  ', null],
    ['tasks/get', '0.2', '0.2'],
    ['tasks/get', '0.3', '0.3'],
    ['tasks/get', '0.3.0', '0.3'],
    ['tasks/get', '0.1', '0.1'],
    ['GetTask', undefined, null],
    ['GetTask', '1.0', '1.0'],
    ['GetTask', '1.0.9', '1.0'],
  ])('%s with A2A-Version %j is carried out, and the version echoed as %j', async (method, version, echo) => {
    const { answer, headers } = await call(
      lenient,
      method,
      unknown,
      version === undefined ? {} : { 'a2a-version': version },
    );
    expect(answer.error?.code).toBe(-32001);
    expect(headers.get('a2a-version')).toBe(echo);
  });

  it.each([
    'tasks/get',
    'GetTask',
    'tasks/list',
    'message/send',
    'SendMessage',
    'tasks/subscribe',
    'tasks/resubscribe',
  ])('%s with a version that is not spoken is refused with those that are', async (method) => {
    for (const version of ['0.30', '2.0', 'latest', '1', '01.0', '0.3-beta']) {
      const { answer, headers } = await call(lenient, method, unknown, { 'a2a-version': version });
      expect(answer.error?.code).toBe(-32009);
      expect(detailsOf(answer)).toMatchObject({
        reason: 'VERSION_NOT_SUPPORTED',
        requested: version,
        supported: SUPPORTED,
      });
      expect(headers.get('a2a-version')).toBeNull();
    }
  });

  it('the query parameter counts where the header is absent or empty, and only there', async () => {
    const query = '?A2A-Version=2.0';
    expect((await call(lenient, 'tasks/get', unknown, {}, query)).answer.error?.code).toBe(-32009);
    expect((await call(lenient, 'tasks/get', unknown, { 'a2a-version': '' }, query)).answer.error?.code).toBe(-32009);
    const stated = await call(lenient, 'tasks/get', unknown, { 'a2a-version': '0.3' }, query);
    expect(stated.answer.error?.code).toBe(-32001);
    const current = await call(lenient, 'GetTask', unknown, {}, '?A2A-Version=1.0.3');
    expect(current.answer.error?.code).toBe(-32001);
    expect(current.headers.get('a2a-version')).toBe('1.0');
  });

  it('a platform method refuses with the number of the reference', async () => {
    for (const method of ['_cleveragents/plan/list', 'plan.status']) {
      const { answer } = await call(lenient, method, {}, { 'a2a-version': '2.0' });
      expect(answer.error?.code).toBe(-32007);
      expect(detailsOf(answer)).toMatchObject({ reason: 'VERSION_MISMATCH', requested: '2.0', supported: SUPPORTED });
    }
  });

  it('a name of another generation than the stated one is refused with a hint', async () => {
    for (const [method, version, hint] of [
      ['tasks/get', '1.0', 'GetTask'],
      ['GetTask', '0.3', 'tasks/get'],
      ['tasks/send', '1.0', 'SendMessage'],
    ] as const) {
      const { answer } = await call(lenient, method, unknown, { 'a2a-version': version });
      expect(answer.error?.code).toBe(-32601);
      expect(detailsOf(answer)).toMatchObject({ hint: expect.stringContaining(hint) as string });
    }
  });
});

describe('R28.2: extensions', () => {
  const list = (server: TestServer, headers: Record<string, string> = {}) =>
    call(server, '_cleveragents/plan/list', {}, headers);

  const ACTIVATIONS: readonly (readonly [string, Record<string, string>, Record<string, string | null>])[] = [
    ['nothing', {}, { 'a2a-extensions': null, 'x-a2a-extensions': null }],
    ['the extension', { 'a2a-extensions': URN }, { 'a2a-extensions': URN, 'x-a2a-extensions': null }],
    [
      'the extension among others',
      { 'a2a-extensions': `urn:other:x, ${URN}` },
      { 'a2a-extensions': URN, 'x-a2a-extensions': null },
    ],
    ['a newer one only', { 'a2a-extensions': NEWER_URN }, { 'a2a-extensions': null, 'x-a2a-extensions': null }],
    ['it by the old header', { 'x-a2a-extensions': URN }, { 'a2a-extensions': null, 'x-a2a-extensions': URN }],
    [
      'it by both headers',
      { 'a2a-extensions': NEWER_URN, 'x-a2a-extensions': `${URN},urn:other:x` },
      { 'a2a-extensions': null, 'x-a2a-extensions': URN },
    ],
  ];

  it.each(ACTIVATIONS)(
    'a lenient server works with %s, and names what it knows of it',
    async (_what, headers, echo) => {
      const reply = await list(lenient, headers);
      expect(reply.answer.result).toMatchObject({ plans: [] });
      for (const [name, value] of Object.entries(echo)) expect(reply.headers.get(name)).toBe(value);
    },
  );

  it.each(ACTIVATIONS)('a strict server demands the extension itself: %s', async (_what, headers, echo) => {
    const reply = await list(strict, headers);
    const isActivated = Object.values(echo).includes(URN);
    if (isActivated) {
      expect(reply.answer.result).toMatchObject({ plans: [] });
      return;
    }
    expect(reply.answer.error?.code).toBe(-32008);
    expect(detailsOf(reply.answer)).toMatchObject({ reason: 'EXTENSION_SUPPORT_REQUIRED', extension: URN });
  });

  it('an error and a stream name the activated extension too', async () => {
    const headers = { 'a2a-extensions': URN, 'a2a-version': '0.3' };
    for (const [method, params] of [
      ['tasks/get', { id: 'no-such-task' }],
      ['message/stream', textMessage('echo: hi', 'r28-stream')],
    ] as const) {
      const response = await lenient.post({ jsonrpc: '2.0', id: 1, method, params }, headers);
      expect(response.headers.get('a2a-extensions')).toBe(URN);
      expect(response.headers.get('a2a-version')).toBe('0.3');
      await response.text();
    }
  });
});

describe('R28.3: standard operations of a strict server', () => {
  const message = textMessage('echo: hi', 'r28-3');
  const current = { message: { messageId: 'r28-3', role: 'ROLE_USER', parts: [{ text: 'echo: hi' }] } };

  it.each([
    ['message/send', message],
    ['message/stream', message],
    ['SendMessage', current],
    ['SendStreamingMessage', current],
    ['tasks/send', message],
    ['tasks/list', {}],
  ])('%s without the header is refused, and nothing happens', async (method, params) => {
    const { answer } = await call(strict, method, params);
    expect(answer.error?.code).toBe(-32008);
    const { answer: tasks } = await call(strict, 'tasks/list', {}, { 'a2a-extensions': URN });
    expect(tasks.result).toMatchObject({ totalSize: 0 });
  });

  it('the public health check needs none', async () => {
    expect((await call(strict, '_cleveragents/health/check', {})).answer.result).toMatchObject({ status: 'ok' });
  });
});

describe('R28.4: two spellings that contradict each other', () => {
  it.each(['message/send', 'message/stream'])('%s with blocking:false and returnImmediately:false', async (method) => {
    const configuration = { blocking: false, returnImmediately: false };
    const { answer } = await call(lenient, method, { ...textMessage('echo: hi', 'r28-4'), configuration });
    expect(answer.error?.code).toBe(-32602);
    expect(JSON.stringify(answer.error?.data)).toContain('configuration.blocking');
  });
});
