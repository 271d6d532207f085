import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestServer, type JsonRpcAnswer } from '../e2e/test-server.js';

const PLAN_ID = '01HXRCF1000000000000000000';

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start();
});

afterAll(() => server.stop());

/** A sample with its placeholders filled in, as the README beside it says. */
function sample(name: string, message = ''): string {
  return readFileSync(new URL(`reference-samples/${name}`, import.meta.url), 'utf8')
    .replaceAll('01HXRCF1...', PLAN_ID)
    .replaceAll('01J...', PLAN_ID)
    .replaceAll('MESSAGE', message)
    .replaceAll('https://server.example.com', server.url);
}

const parsed = (name: string): unknown => JSON.parse(sample(name));

async function replay(body: string): Promise<{ readonly answer: JsonRpcAnswer; readonly headers: Headers }> {
  const response = await server.post(body);
  return { answer: (await response.json()) as JsonRpcAnswer, headers: response.headers };
}

async function isOffered(method: string): Promise<boolean> {
  const { result } = await server.call('rpc.discover');
  return (result as { methods: { name: string }[] }).methods.some(({ name }) => name === method);
}

describe('the protocol reference', () => {
  interface SampleCard {
    readonly url: string;
    readonly skills: readonly { readonly id: string; readonly name: string }[];
    readonly securitySchemes: readonly object[];
    readonly [member: string]: unknown;
  }

  it('finds its card at its path, member by member', async () => {
    const { url, skills, securitySchemes, ...rest } = parsed('protocol-reference/agent-card.answer.json') as SampleCard;
    const card = (await (await server.get('/.well-known/agent.json')).json()) as SampleCard;
    expect(card).toMatchObject(rest);
    expect(card.url).toBe(`${url}/a2a`);
    expect(Object.values(card.securitySchemes)).toMatchObject(securitySchemes);
    const names = new Map(skills.map(({ id, name }) => [id, name]));
    expect(card.skills.length).toBeGreaterThan(0);
    for (const { id, name } of card.skills) expect(name).toBe(names.get(id));
  });

  it.each(['facade-plan-status', 'client-plan-status'])('asks for a plan that is not there: %s', async (name) => {
    const { answer } = await replay(sample(`protocol-reference/${name}.request.json`));
    const expected = parsed('protocol-reference/error.answer.json') as JsonRpcAnswer;
    expect(answer).toMatchObject({ ...expected, id: name === 'client-plan-status' ? 42 : null });
  });

  it('has its drawing of a streaming event refused with a reason, and nothing done', async () => {
    const { answer } = await replay(sample('protocol-reference/streaming-event.drawing.json'));
    expect(answer).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: expect.any(String) as string },
    });
    expect((await server.call('tasks/list')).result).toMatchObject({ totalSize: 0 });
  });

  it.each([
    'message/send',
    'message/stream',
    'tasks/get',
    'tasks/list',
    'tasks/cancel',
    'tasks/subscribe',
    'pushNotificationConfig/create',
    'pushNotificationConfig/get',
    'pushNotificationConfig/list',
    'pushNotificationConfig/delete',
    'getExtendedAgentCard',
  ])('finds its operation %s', async (method) => {
    const { error } = await server.call(method);
    expect(error?.code).not.toBe(-32601);
  });

  it.each([
    ['session.create', '_cleveragents/session/create'],
    ['session.close', '_cleveragents/session/close'],
    ['plan.create', '_cleveragents/plan/use'],
    ['plan.execute', '_cleveragents/plan/execute'],
    ['plan.status', '_cleveragents/plan/status'],
    ['plan.diff', '_cleveragents/plan/diff'],
    ['plan.apply', '_cleveragents/plan/apply'],
    ['registry.list_tools', '_cleveragents/registry/tool/list'],
    ['registry.list_resources', '_cleveragents/registry/resource/list'],
    ['context.get', '_cleveragents/context/show'],
  ])('may still say %s where the server offers %s', async (deprecated, method) => {
    const call = (name: string) =>
      replay(JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params: { plan_id: PLAN_ID } }));
    const [old, current] = [await call(deprecated), await call(method)];
    expect(old.answer.error?.code).toBe(current.answer.error?.code);
    expect(old.headers.get('deprecation')).toBe((await isOffered(method)) ? 'true' : null);
  });
});

describe('the package guide', () => {
  it('creates its session where the server offers sessions, and is told by name where it does not', async () => {
    const { answer } = await replay(sample('package-guide/session-create.request.json'));
    if (await isOffered('_cleveragents/session/create')) {
      expect(answer.result).toMatchObject({ session_id: expect.any(String) as string });
    } else {
      expect(answer).toMatchObject({ id: null, error: { code: -32601, data: { method: 'session.create' } } });
    }
  });

  it('says event.subscribe for tasks/subscribe', async () => {
    const { answer, headers } = await replay(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'event.subscribe', params: { id: 'no-such-task' } }),
    );
    expect(answer.error?.code).toBe(-32001);
    expect(headers.get('deprecation')).toBe('true');
  });

  it('is told what became of the field names that it says are gone', async () => {
    const old = { a2a_version: '1', request_id: 'r', operation: 'plan.status', payload: {} };
    const { answer } = await replay(JSON.stringify(old));
    expect(answer.error?.code).toBe(-32600);
    expect(JSON.stringify(answer.error?.data)).toContain('operation is now method');
  });
});

describe('the agent guide', () => {
  const request = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: '1', method, params });

  it('discovers the agent and selects it by a skill', async () => {
    const card = (await (await server.get('/.well-known/agent.json')).json()) as { skills?: { id: string }[] };
    expect((card.skills ?? []).map(({ id }) => id)).toContain('plan-lifecycle');
  });

  it('sends its task and reads the part it wants out of the first artifact', async () => {
    const { answer } = await replay(sample('agent-guide/tasks-send.request.json', 'echo: Bonjour'));
    expect(answer).toMatchObject({
      jsonrpc: '2.0',
      id: '1',
      result: {
        id: expect.any(String) as string,
        status: { state: 'completed' },
        artifacts: [{ parts: [{ type: 'text', text: 'Bonjour' }] }],
      },
    });
  });

  it('asks for the task, and for one that is not there', async () => {
    const { answer } = await replay(sample('agent-guide/tasks-send.request.json', 'ask: quoi ?'));
    const { id } = answer.result as { id: string };
    const got = await replay(request('tasks/get', { id }));
    expect(got.answer.result).toMatchObject({ id, status: { state: 'input-required' } });
    const missing = await replay(request('tasks/get', { id: 'no-such-task' }));
    expect(missing.answer).toMatchObject(parsed('agent-guide/unknown-task.answer.json') as object);
    const canceled = await replay(request('tasks/cancel', { id }));
    expect(canceled.answer.result).toMatchObject({ id, status: { state: 'canceled' } });
  });

  it('is told of a method that does not exist', async () => {
    const { answer } = await replay(request('tasks/fetch', {}));
    expect(answer).toMatchObject(parsed('agent-guide/unknown-method.answer.json') as object);
  });

  it('reads its stream: data lines of bare events, as its own server writes them', async () => {
    const eventsIn = (text: string) =>
      text
        .split('\n')
        .filter((line) => line.startsWith('data: '))
        .map((line) => JSON.parse(line.slice('data: '.length)) as { type: string; status?: { state: string } });
    const expected = eventsIn(sample('agent-guide/stream.answer.txt'));
    const response = await fetch(`${server.url}/a2a/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        message: { messageId: 'tck-artifact-data-guide', role: 'user', parts: [{ type: 'text', text: 'Extrais' }] },
      }),
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = eventsIn(await response.text());
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(expected.map(({ type }) => type)));
    expect(events.find(({ type }) => type === 'TaskArtifactUpdateEvent')).toMatchObject({
      artifact: { type: 'DataPart', data: expect.any(Object) as object },
    });
    expect(events.at(-1)).toMatchObject(expected.at(-1) ?? {});
  });

  it.each([undefined, 'Basic dXNlcjpwYXNz', 'Bearer forged'])(
    'is asked for its token with %s',
    async (authorization) => {
      const response = await server.post(sample('agent-guide/tasks-send.request.json', 'echo: x'), { authorization });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    },
  );
});
