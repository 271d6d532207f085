import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentUnderTest, type Headers } from './agent-under-test.js';
import { checkedError, Client10, errorInfo, kitMessage, messageOf } from './client-10.js';
import { answerIn, type JsonRpcAnswer } from './json-rpc-answer.js';

const EXTENSION = 'urn:cleveragents:extensions:v1';

let agent: AgentUnderTest;

beforeAll(async () => {
  agent = await AgentUnderTest.start();
});

afterAll(() => agent.stop());

async function ask(method: string, version: string | undefined, query = ''): Promise<[JsonRpcAnswer, Response]> {
  const headers: Headers = version === undefined ? {} : { 'A2A-Version': version };
  const response = await agent.post({ jsonrpc: '2.0', id: 1, method, params: { id: 'nothing' } }, headers, query);
  return [await answerIn(response, 1), response];
}

const details = ({ error }: JsonRpcAnswer): object => {
  const { data } = checkedError(error);
  return (data as object[]).at(-1) ?? {};
};

describe('A2A 1.0 §3.6 Versioning (R28)', () => {
  it.each([undefined, '', '0.3', '0.3.0', '0.3.7', '0.2', '0.2.5'])(
    'MUST answer in the semantics of 0.3 to the version %j',
    async (version) => {
      const [answer] = await ask('tasks/get', version);
      expect(answer.error).toMatchObject({ code: -32001, data: { reason: 'TASK_NOT_FOUND' } });
    },
  );

  it.each(['1.0', '1.0.0', '1.0.1', '1.0.9'])(
    'MUST answer in the semantics of 1.0 to the version %j: patch numbers do not count',
    async (version) => {
      const [answer, response] = await ask('GetTask', version);
      expect(errorInfo(checkedError(answer.error)).reason).toBe('TASK_NOT_FOUND');
      expect(response.headers.get('a2a-version')).toBe('1.0');
    },
  );

  it.each(['0.30', '0.5', '1.1', '2.0', '10', '1', 'latest', 'v1.0', '1.0-beta', '01.0'])(
    '§3.6.2 MUST answer VersionNotSupportedError to the version %j, before anything else',
    async (version) => {
      for (const method of ['GetTask', 'tasks/list']) {
        const [{ error }] = await ask(method, version);
        expect(error?.code).toBe(-32009);
      }
    },
  );

  it('says which versions it does support', async () => {
    const [answer] = await ask('GetTask', '2.0');
    expect(details(answer)).toMatchObject({ requested: '2.0', supported: expect.arrayContaining(['0.3', '1.0']) });
  });

  it('§3.6.1 MAY be stated as a request parameter', async () => {
    const [answer] = await ask('GetTask', undefined, '?A2A-Version=1.0');
    expect(errorInfo(checkedError(answer.error)).reason).toBe('TASK_NOT_FOUND');
    const [refused] = await ask('tasks/list', undefined, '?A2A-Version=2.0');
    expect(refused.error?.code).toBe(-32009);
  });

  it('goes by the header where header and parameter differ', async () => {
    const [answer] = await ask('GetTask', '1.0', '?A2A-Version=2.0');
    expect(answer.error?.code).toBe(-32001);
  });

  it.each([
    ['message/send', '1.0'],
    ['tasks/get', '1.0'],
    ['tasks/resubscribe', '1.0'],
    ['GetTask', '0.3'],
    ['SendMessage', '0.3'],
  ])('does not know %s in %s, and hints at the name that it has there', async (method, version) => {
    const [{ error }] = await ask(method, version);
    expect(error?.code).toBe(-32601);
    expect(JSON.stringify(error?.data)).toContain('hint');
  });

  it('knows the names of 1.0 without a stated version', async () => {
    const [{ error }] = await ask('GetTask', undefined);
    expect(errorInfo(checkedError(error)).reason).toBe('TASK_NOT_FOUND');
  });

  it('answers each version in its own form about the same task', async () => {
    const client = new Client10(agent);
    const { id } = await client.send(kitMessage('artifact-text'));
    const { result: old } = await agent.call('tasks/get', { id });
    expect(old).toMatchObject({ kind: 'task', status: { state: 'completed' } });
    expect(await client.task(id)).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
  });
});

describe('A2A 1.0 §4.6 Extensions (R28)', () => {
  const body = { jsonrpc: '2.0', id: 1, method: '_cleveragents/plan/list', params: {} };

  it.each([undefined, 'urn:cleveragents:extensions:v2'])('works without the extension (%j)', async (uri) => {
    const response = await agent.post(body, uri === undefined ? {} : { 'A2A-Extensions': uri });
    expect((await answerIn(response, 1)).error).toBeUndefined();
    expect(response.headers.get('a2a-extensions')).toBeNull();
  });

  it.each(['A2A-Extensions', 'X-A2A-Extensions'])('names in %s what it has activated', async (header) => {
    const response = await agent.post(body, { [header]: `urn:other:x, ${EXTENSION}` });
    expect((await answerIn(response, 1)).error).toBeUndefined();
    expect(response.headers.get(header)).toBe(EXTENSION);
  });

  it('§4.6.2 keeps the extensions and metadata of a message', async () => {
    const sent = kitMessage('complete-task', {
      extensions: ['urn:example:geo'],
      metadata: { 'urn:example:geo': { latitude: 37.7 } },
    });
    const { history } = await new Client10(agent).send(sent);
    expect(history?.[0]).toMatchObject({ extensions: sent.extensions, metadata: sent.metadata });
  });
});

describe('A2A 1.0 §3.3.4 an extension that is required (R28)', () => {
  let strict: AgentUnderTest;

  beforeAll(async () => {
    strict = await AgentUnderTest.start({ A2A_EXTENSION_REQUIRED: 'on' });
  });

  afterAll(() => strict.stop());

  it.each<Headers>([{}, { 'A2A-Extensions': 'urn:cleveragents:extensions:v2' }])(
    'MUST answer ExtensionSupportRequiredError, with no fall-back, to %j',
    async (headers) => {
      const v10 = new Client10(strict, headers);
      const error = await v10.error('SendMessage', { message: messageOf() });
      expect([error.code, errorInfo(error).reason]).toEqual([-32008, 'EXTENSION_SUPPORT_REQUIRED']);
      for (const method of ['message/send', '_cleveragents/plan/list']) {
        expect((await strict.call(method, {}, headers)).error?.code).toBe(-32008);
      }
    },
  );

  it('works where the client declares support', async () => {
    const v10 = new Client10(strict, { 'A2A-Extensions': EXTENSION });
    expect((await v10.send(kitMessage('complete-task'))).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('is declared as required by the card', async () => {
    const card = await (await strict.get('/v1/.well-known/agent-card.json')).json();
    expect(card).toMatchObject({ capabilities: { extensions: [{ uri: EXTENSION, required: true }] } });
  });
});

describe('R28: two spellings of one thing', () => {
  it('are refused where they contradict each other', async () => {
    const message = { kind: 'message', role: 'user', messageId: 'm', parts: [{ kind: 'text', text: 'x' }] };
    const configuration = { blocking: false, returnImmediately: false };
    expect((await agent.call('message/send', { message, configuration })).error?.code).toBe(-32602);
  });
});
