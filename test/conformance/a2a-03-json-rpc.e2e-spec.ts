import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentUnderTest } from './agent-under-test.js';
import { kitMessage03, message03 } from './client-03.js';
import { answerIn } from './json-rpc-answer.js';

let agent: AgentUnderTest;

beforeAll(async () => {
  agent = await AgentUnderTest.start();
});

afterAll(() => agent.stop());

const request = (rest: object = {}): object => ({
  jsonrpc: '2.0',
  method: 'tasks/get',
  params: { id: 'nothing' },
  ...rest,
});

describe('A2A 0.3 §6.11 JSON-RPC Structures', () => {
  it.each([1, 0, 'text', '', null])('§6.11.1 MUST answer with the same id %j', async (id) => {
    expect((await answerIn(await agent.post(request({ id })), id)).error?.code).toBe(-32001);
  });

  it.each([
    ['a missing jsonrpc', { id: 1, jsonrpc: undefined }, 1],
    ['jsonrpc "1.0"', { id: 1, jsonrpc: '1.0' }, 1],
    ['a missing method', { id: 1, method: undefined }, 1],
    ['an id that is an object', { id: { a: 1 } }, null],
    ['an id that is a boolean', { id: false }, null],
  ])('§8.1 answers an invalid request to %s', async (_what, rest, id) => {
    const response = await agent.post(request(rest));
    expect(response.status).toBe(200);
    expect((await answerIn(response, id)).error?.code).toBe(-32600);
  });

  it('§8.1 answers a parse error to what is no JSON', async () => {
    expect((await answerIn(await agent.post('{"jsonrpc": "2.0", "id": 1,'), null)).error?.code).toBe(-32700);
  });

  it('§8.1 answers method not found', async () => {
    for (const method of ['tasks/foo', 'message/sendd', 'TASKS/GET', 'tasks/get/']) {
      expect((await agent.call(method, {})).error?.code).toBe(-32601);
    }
  });

  it.each([[[]], ['x'], [5], [{ id: 'nothing', '': 1 }]])('§8.1 answers invalid params to %j', async (params) => {
    const response = await agent.post(request({ id: 1, params }));
    expect((await answerIn(response, 1)).error?.code).toBe(-32602);
  });

  it('§6.11.1 executes a notification and answers nothing', async () => {
    const message = kitMessage03('complete-task', { contextId: 'notified' });
    const response = await agent.post({ jsonrpc: '2.0', method: 'message/send', params: { message } });
    expect(response.status).toBe(204);
    const { result } = await agent.call('tasks/list', { contextId: 'notified' });
    expect(result).toMatchObject({ totalSize: 1 });
  });

  it('§3.2.1 answers in application/json, whatever the client accepts', async () => {
    for (const accept of ['application/json', '*/*', 'text/html']) {
      const response = await agent.post(request({ id: 1 }), { Accept: accept });
      expect((await answerIn(response, 1)).error?.code).toBe(-32001);
    }
  });

  it('§6.12 has a plain object as data, with the reason in it', async () => {
    const { error } = await agent.call('tasks/get', { id: 'nothing' });
    expect(error?.data).toMatchObject({ reason: 'TASK_NOT_FOUND', id: 'nothing' });
  });
});

describe('A2A 0.3 §3.5.6 Method Mapping', () => {
  const id = 'no-such-task';
  const message = message03({ taskId: id });

  it.each<[string, object]>([
    ['message/send', { message }],
    ['message/stream', { message }],
    ['tasks/get', { id }],
    ['tasks/cancel', { id }],
    ['tasks/resubscribe', { id }],
  ])('knows %s', async (method, params) => {
    expect((await agent.call(method, params)).error?.code).toBe(-32001);
  });

  it('knows agent/getAuthenticatedExtendedCard, without params', async () => {
    expect((await agent.call('agent/getAuthenticatedExtendedCard')).error).toBeUndefined();
  });

  it.each<[string, string, object]>([
    ['tasks/subscribe', 'tasks/resubscribe', { id }],
    ['getExtendedAgentCard', 'agent/getAuthenticatedExtendedCard', {}],
    ['agent/authenticatedExtendedCard', 'agent/getAuthenticatedExtendedCard', {}],
  ])('§3.5.5 knows %s as another name of %s', async (name, official, params) => {
    const withoutRequest = (text: string): string => text.replaceAll(/"(?:method|correlation_id)":"[^"]*"/g, '');
    const [one, other] = await Promise.all([agent.call(name, params), agent.call(official, params)]);
    expect(withoutRequest(JSON.stringify([one.result, one.error]))).toBe(
      withoutRequest(JSON.stringify([other.result, other.error])),
    );
  });
});
