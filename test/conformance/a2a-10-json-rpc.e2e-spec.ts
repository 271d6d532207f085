import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentUnderTest } from './agent-under-test.js';
import { checkedError, Client10, errorInfo, kitMessage, messageOf } from './client-10.js';
import { answerIn, type JsonRpcAnswer } from './json-rpc-answer.js';

const V10 = { 'A2A-Version': '1.0' };
const EXTENSION = 'urn:cleveragents:extensions:v1';

let agent: AgentUnderTest;
let client: Client10;

beforeAll(async () => {
  agent = await AgentUnderTest.start();
  client = new Client10(agent);
});

afterAll(() => agent.stop());

const request = (rest: object = {}): object => ({ jsonrpc: '2.0', method: 'ListTasks', params: {}, ...rest });

describe('A2A 1.0 §9.1 Protocol Requirements', () => {
  it('takes and answers application/json', async () => {
    const response = await agent.post(request({ id: 1 }), V10);
    expect(response.status).toBe(200);
    expect((await answerIn(response, 1)).result).toMatchObject({ nextPageToken: '' });
  });

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON'])('takes %s', async (type) => {
    const response = await agent.post(request({ id: 1 }), { ...V10, 'Content-Type': type });
    expect((await answerIn(response, 1)).error).toBeUndefined();
  });

  it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded'])('refuses %s', async (type) => {
    const response = await agent.post(request({ id: 1 }), { ...V10, 'Content-Type': type });
    expect(response.status).toBe(415);
    expect((await answerIn(response, null)).error?.code).toBe(-32005);
  });

  it('SHOULD NOT be reached by another verb than POST', async () => {
    expect((await agent.get('/a2a', V10)).status).toBe(405);
  });
});

describe('A2A 1.0 §5.3 Method Mapping Reference', () => {
  const id = 'no-such-task';
  const message = messageOf({ taskId: id });

  it.each<[string, object]>([
    ['SendMessage', { message }],
    ['SendStreamingMessage', { message }],
    ['GetTask', { id }],
    ['CancelTask', { id }],
    ['SubscribeToTask', { id }],
  ])('knows %s', async (operation, params) => {
    expect((await client.error(operation, params)).code).toBe(-32001);
  });

  it.each(['ListTasks', 'GetExtendedAgentCard'])('knows %s', async (operation) => {
    expect(await client.result(operation, {})).toBeTypeOf('object');
  });

  it.each([
    'sendMessage',
    'SENDMESSAGE',
    'send_message',
    'SendMessage ',
    'Send',
    'TaskSubscription',
    'SetTaskPushNotificationConfig',
    '',
    'constructor',
    '__proto__',
  ])('MUST answer MethodNotFoundError for %j', async (method) => {
    expect((await client.error(method, {})).code).toBe(-32601);
  });
});

describe('A2A 1.0 §9.2 Service Parameter Transmission', () => {
  it.each(['a2a-version', 'A2A-Version', 'A2A-VERSION'])('reads %s whatever its case', async (name) => {
    const { error } = await agent.call('GetTask', { id: 'x' }, { [name]: '1.0' });
    expect(errorInfo(checkedError(error)).reason).toBe('TASK_NOT_FOUND');
  });

  it('reads several extensions from one header', async () => {
    const headers = { ...V10, 'A2A-Extensions': `urn:example:other, ${EXTENSION}` };
    expect((await agent.post(request({ id: 1 }), headers)).headers.get('a2a-extensions')).toBe(EXTENSION);
  });
});

describe('A2A 1.0 §9.3 Base Request Structure (JSON-RPC 2.0 §4, §5)', () => {
  it.each([1, 0, -7, 'text', '', 'é', null, Number.MAX_SAFE_INTEGER])('echoes the id %j', async (id) => {
    expect((await answerIn(await agent.post(request({ id }), V10), id)).id).toBe(id);
  });

  it.each([
    ['no member jsonrpc', { jsonrpc: undefined, id: 1 }, 1],
    ['another version', { jsonrpc: '1.0', id: 'a' }, 'a'],
    ['a number as version', { jsonrpc: 2, id: 'a' }, 'a'],
    ['no method', { method: undefined, id: 1 }, 1],
    ['a method that is no text', { method: 5, id: 1 }, 1],
    ['an id that is an object', { id: {} }, null],
    ['an id that is a list', { id: [1] }, null],
    ['an id that is a boolean', { id: true }, null],
    ['an id that is a fraction', { id: 1.5 }, null],
  ])('answers InvalidRequestError to %s', async (_what, rest, id) => {
    const response = await agent.post(request(rest), V10);
    expect(response.status).toBe(200);
    expect(checkedError((await answerIn(response, id)).error).code).toBe(-32600);
  });

  it.each(['{', '', '{"jsonrpc":"2.0",}', 'nonsense', "{'jsonrpc':'2.0'}"])(
    'answers JSONParseError to the body %j',
    async (body) => {
      const response = await agent.post(body, V10);
      expect(response.status).toBe(400);
      expect(checkedError((await answerIn(response, null)).error).code).toBe(-32700);
    },
  );

  it.each(['5', '"text"', 'null', 'true', '{}'])('answers InvalidRequestError to the JSON %s', async (body) => {
    expect((await answerIn(await agent.post(body, V10), null)).error?.code).toBe(-32600);
  });

  it.each([[['x']], ['text'], [7], [true]])('answers InvalidParamsError to the params %j', async (params) => {
    const response = await agent.post(request({ id: 1, method: 'GetTask', params }), V10);
    expect(checkedError((await answerIn(response, 1)).error).code).toBe(-32602);
  });

  it('takes a call without params where none are needed', async () => {
    const response = await agent.post(request({ id: 1, params: undefined }), V10);
    expect((await answerIn(response, 1)).error).toBeUndefined();
  });

  it('MUST NOT answer a notification', async () => {
    const response = await agent.post(request(), V10);
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
  });

  it('answers a batch by a list, without the notifications in it', async () => {
    const response = await agent.post([request({ id: 1 }), request(), request({ id: 2, method: 'Nothing' })], V10);
    const answers = (await response.json()) as JsonRpcAnswer[];
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([1, 2]));
  });

  it('answers an empty batch by one error', async () => {
    expect((await answerIn(await agent.post([], V10), null)).error?.code).toBe(-32600);
  });
});

describe('A2A 1.0 §5.4 and §9.5 Error Handling', () => {
  const cases: readonly [string, number, () => Promise<[string, object]>][] = [
    ['TASK_NOT_FOUND', -32001, async () => ['GetTask', { id: randomUUID() }]],
    ['TASK_NOT_CANCELABLE', -32002, async () => ['CancelTask', { id: await finished() }]],
    ['UNSUPPORTED_OPERATION', -32004, async () => ['SubscribeToTask', { id: await finished() }]],
  ];

  async function finished(): Promise<string> {
    return (await client.send(kitMessage('complete-task'))).id;
  }

  it.each(cases)('MUST map %s to %i, with ErrorInfo of the protocol', async (reason, code, call) => {
    const error = await client.error(...(await call()));
    expect(error.code).toBe(code);
    expect(errorInfo(error)).toMatchObject({ reason, domain: 'a2a-protocol.org' });
  });

  it('MUST map an unsupported version to -32009', async () => {
    const { error } = await agent.call('GetTask', { id: 'x' }, { 'A2A-Version': '0.5' });
    expect(error?.code).toBe(-32009);
    expect(errorInfo(checkedError(error))).toMatchObject({ reason: 'VERSION_NOT_SUPPORTED' });
  });

  it('SHOULD use google.rpc.BadRequest for invalid params', async () => {
    const error = await client.error('ListTasks', { pageSize: 500 });
    expect(error.data).toContainEqual({
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [{ field: 'pageSize', description: expect.any(String) }],
    });
  });

  it('§3.3.2 SHOULD name every field that is wrong', async () => {
    const error = await client.error('ListTasks', { pageSize: 150, historyLength: -5, status: 'TASK_STATE_RUNNING' });
    const violations = (error.data as { fieldViolations?: { field: string }[] }[]).flatMap(
      ({ fieldViolations = [] }) => fieldViolations,
    );
    expect(violations.map(({ field }) => field).sort()).toEqual(['historyLength', 'pageSize', 'status']);
  });

  it('MUST have a code, a message and typed details in every error', async () => {
    for (const [method, params] of [
      ['Nothing', {}],
      ['GetTask', {}],
      ['GetTask', { id: 'x' }],
      ['SendMessage', { message: 5 }],
    ] as const) {
      expect((await client.error(method, params)).message.length).toBeGreaterThan(5);
    }
  });
});
