import { mintToken } from '@cleveragents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentUnderTest, type Headers } from './agent-under-test.js';
import { Client03 } from './client-03.js';
import { Client10, kitMessage, messageOf } from './client-10.js';
import { answerIn, type JsonRpcError } from './json-rpc-answer.js';

let agent: AgentUnderTest;
let owner: Headers;
let stranger: Headers;

beforeAll(async () => {
  agent = await AgentUnderTest.start({ A2A_ANONYMOUS: 'off' });
  owner = bearer(agent.process.token);
  stranger = bearer(await mintToken(agent.database.dataDir, 'stranger', {}));
});

afterAll(() => agent.stop());

function bearer(token: string): Headers {
  return { Authorization: `Bearer ${token}` };
}

const OPERATIONS: readonly (readonly [string, object])[] = [
  ['SendMessage', { message: messageOf() }],
  ['SendStreamingMessage', { message: messageOf() }],
  ['GetTask', { id: 'x' }],
  ['ListTasks', {}],
  ['CancelTask', { id: 'x' }],
  ['SubscribeToTask', { id: 'x' }],
  ['GetExtendedAgentCard', {}],
  ['message/send', {}],
  ['message/stream', {}],
  ['tasks/get', { id: 'x' }],
  ['tasks/cancel', { id: 'x' }],
  ['tasks/resubscribe', { id: 'x' }],
  ['agent/getAuthenticatedExtendedCard', {}],
];

describe('A2A 1.0 §7.4 and 0.3 §4.4 Server Authentication Responsibilities', () => {
  it.each(OPERATIONS)('MUST authenticate %s, and SHOULD challenge', async (method, params) => {
    for (const headers of [{}, bearer('nonsense'), { Authorization: 'Basic dTpw' }] as Headers[]) {
      const response = await agent.post({ jsonrpc: '2.0', id: 1, method, params }, headers);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /);
      expect((await answerIn(response, 1)).error?.code).toBe(-31002);
    }
  });

  it('does not tell whether a method exists to callers whom it does not know', async () => {
    const answers = ['GetTask', 'NoSuchMethod'].map(async (method) => {
      const response = await agent.post({ jsonrpc: '2.0', id: 1, method, params: { id: 'x' } }, {});
      const { error } = await answerIn(response, 1);
      return [response.status, error?.code, error?.message];
    });
    const [known, unknown] = await Promise.all(answers);
    expect(known).toEqual(unknown);
  });

  it('shows the public card to everybody', async () => {
    expect((await agent.get('/.well-known/agent-card.json')).status).toBe(200);
  });

  it('works with the credentials that the card asks for', async () => {
    const task = await new Client10(agent, owner).send(kitMessage('complete-task'));
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('A2A 1.0 §13.1 Data Access and Authorization Scoping', () => {
  /** What may differ between two refusals: the id that was asked for and the correlation id. */
  function faceOf(error: JsonRpcError, id: string): string {
    return JSON.stringify(error)
      .replaceAll(id, 'ID')
      .replaceAll(/"correlation_id":"[^"]*"/g, '');
  }

  it.each(['GetTask', 'CancelTask', 'SubscribeToTask'])(
    'MUST NOT let %s tell a task of somebody else from none',
    async (operation) => {
      const { id } = await new Client10(agent, owner).working();
      const other = new Client10(agent, stranger);
      const foreign = await other.error(operation, { id });
      const nothing = await other.error(operation, { id: 'nothing' });
      expect(foreign.code).toBe(-32001);
      expect(faceOf(foreign, id)).toBe(faceOf(nothing, 'nothing'));
      await new Client10(agent, owner).cancel(id);
    },
  );

  it('MUST NOT let a message reach the task of somebody else', async () => {
    const { id } = await new Client10(agent, owner).send(kitMessage('input-required'));
    const error = await new Client10(agent, stranger).error('SendMessage', { message: messageOf({ taskId: id }) });
    expect(error.code).toBe(-32001);
  });

  it('§3.1.4 MUST list only the tasks that the caller may see', async () => {
    const mine = await new Client10(agent, stranger).send(kitMessage('complete-task'));
    await new Client10(agent, owner).send(kitMessage('complete-task'));
    const { tasks } = await new Client10(agent, stranger).result<{ tasks: { id: string }[] }>('ListTasks', {});
    expect(tasks.map(({ id }) => id)).toEqual([mine.id]);
  });

  it('holds in 0.3 as well', async () => {
    const { id } = await new Client03(agent, owner).working();
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/resubscribe']) {
      expect((await new Client03(agent, stranger).error(method, { id })).code).toBe(-32001);
    }
    await new Client03(agent, owner).cancel(id);
  });
});
