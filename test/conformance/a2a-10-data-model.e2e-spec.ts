import type { Part, Task } from '@cleveragents/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentUnderTest } from './agent-under-test.js';
import { Client10, errorInfo, kitMessage, messageOf } from './client-10.js';

let agent: AgentUnderTest;
let client: Client10;

beforeAll(async () => {
  agent = await AgentUnderTest.start();
  client = new Client10(agent);
});

afterAll(() => agent.stop());

const partsOf = ({ artifacts = [] }: Task): Part[] => artifacts.flatMap(({ parts }) => parts);

describe('A2A 1.0 §4.1 Core Objects', () => {
  it.each([
    ['text', 'artifact-text', { text: 'Generated text' }],
    ['raw bytes', 'artifact-file', { raw: 'R2VuZXJhdGVkIGZpbGU=', filename: 'output.txt', mediaType: 'text/plain' }],
    [
      'an address',
      'artifact-file-url',
      { url: 'https://example.com/output.txt', filename: 'output.txt', mediaType: 'text/plain' },
    ],
    ['data', 'artifact-data', { data: { key: 'value', count: 42 }, mediaType: 'application/json' }],
  ])('§4.1.6 Part: an artifact of %s has that member and no kind', async (_what, behaviour, part) => {
    expect(partsOf(await client.send(kitMessage(behaviour)))).toEqual([part]);
  });

  it.each<[string, Part]>([
    ['text', { text: 'grüße 🙂', mediaType: 'text/markdown', filename: 'note.md' }],
    ['raw bytes', { raw: 'AAEC', filename: 'a.bin', mediaType: 'application/octet-stream' }],
    ['an address', { url: 'https://example.com/a', mediaType: 'text/html' }],
    ['an object', { data: { nested: [1, { deep: null }] } }],
    ['an array', { data: [1, 'two', null] }],
    ['a number', { data: 4.5 }],
    ['a text as data', { data: 'plain' }],
    ['a boolean', { data: false }],
    ['metadata', { text: 'x', metadata: { urgent: true, weight: 0 } }],
  ])('§4.1.6 Part: a message with %s comes back as it went out', async (_what, part) => {
    const { history } = await client.send(kitMessage('complete-task', { parts: [part] }));
    expect(history?.[0]?.parts).toEqual([part]);
  });

  it('§4.1.4 Message: all of its members come back, with the ids of its task', async () => {
    const message = kitMessage('complete-task', {
      parts: [{ text: 'one' }, { text: 'two' }],
      metadata: { trace: 'abc', depth: { level: 2 } },
      extensions: ['urn:example:tone'],
    });
    const { id, contextId, history } = await client.send(message);
    expect(history?.[0]).toEqual({ ...message, taskId: id, contextId });
  });

  it.each([
    ['tck-complete-task', 'TASK_STATE_COMPLETED'],
    ['tck-input-required', 'TASK_STATE_INPUT_REQUIRED'],
    ['tck-reject-task', 'TASK_STATE_REJECTED'],
  ])('§4.1.3 TaskState: %s reaches %s', async (messageId, state) => {
    expect((await client.send({ messageId })).status.state).toBe(state);
  });

  it.each([
    ['auth: log in', 'TASK_STATE_AUTH_REQUIRED'],
    ['throw-now', 'TASK_STATE_FAILED'],
  ])('§4.1.3 TaskState: "%s" reaches %s', async (text, state) => {
    expect((await client.send({ parts: [{ text }] })).status.state).toBe(state);
  });

  it('§4.1.3 TaskState: a canceled task says so', async () => {
    const { id } = await client.working();
    expect((await client.cancel(id)).status.state).toBe('TASK_STATE_CANCELED');
  });
});

describe('A2A 1.0 §5.5 JSON Field Naming Convention', () => {
  it('MUST spell fields in camelCase and enumerations by their names', async () => {
    const { id } = await client.send(kitMessage('artifact-file'));
    const { result } = await agent.call('GetTask', { id }, { 'A2A-Version': '1.0' });
    expect(JSON.stringify(result)).not.toMatch(/"[a-z]+_[a-z_]+":|"kind":|"state":"[a-z]/);
  });
});

describe('A2A 1.0 §5.6.1 Timestamps', () => {
  it('MUST be ISO 8601 in UTC with Z, and SHOULD have milliseconds', async () => {
    const { status } = await client.send(kitMessage('complete-task'));
    expect(status.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(new Date(status.timestamp).toISOString()).toBe(status.timestamp);
  });
});

describe('A2A 1.0 §5.7 Field Presence and Optionality', () => {
  const WITHOUT: readonly [string, object][] = [
    ['message', {}],
    ['message.messageId', { message: { role: 'ROLE_USER', parts: [{ text: 'x' }] } }],
    ['message.role', { message: { messageId: 'm', parts: [{ text: 'x' }] } }],
    ['message.parts', { message: { messageId: 'm', role: 'ROLE_USER' } }],
    ['message.parts', { message: { messageId: 'm', role: 'ROLE_USER', parts: [] } }],
  ];

  it.each(WITHOUT)('MUST have required fields: without %s a message is refused, naming it', async (field, params) => {
    const error = await client.error('SendMessage', params);
    expect(error.code).toBe(-32602);
    expect(error.data).toContainEqual({
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [expect.objectContaining({ field })],
    });
  });

  it.each([
    ['without content', {}],
    ['with two contents', { text: 'x', url: 'https://example.com' }],
    ['with a text that is a number', { text: 5 }],
    ['with bytes that are no base64', { raw: 'no base64!' }],
  ])('refuses a part %s', async (_what, part) => {
    const message = { ...messageOf(), parts: [part] };
    expect((await client.error('SendMessage', { message })).code).toBe(-32602);
  });

  it('refuses a role that does not exist', async () => {
    const message = { ...messageOf(), role: 'ROLE_SYSTEM' };
    expect((await client.error('SendMessage', { message })).code).toBe(-32602);
  });

  it('SHOULD ignore unrecognized fields', async () => {
    const message = { ...kitMessage('complete-task'), sentiment: 'calm' };
    const { task } = await client.result<{ task: Task }>('SendMessage', { message, colour: 'green' });
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('takes unset optional fields in the spelling of protocol buffers', async () => {
    const message = { ...kitMessage('complete-task'), contextId: '', taskId: '', extensions: [], metadata: undefined };
    const params = { tenant: '', message, configuration: { acceptedOutputModes: [] } };
    const { task } = await client.result<{ task: Task }>('SendMessage', params);
    expect(task.contextId).not.toBe('');
  });
});

describe('A2A 1.0 §4.2.2 TaskArtifactUpdateEvent', () => {
  it('folds appended chunks into one artifact', async () => {
    const task = await client.send(kitMessage('stream-artifact-chunked'));
    expect(task.artifacts).toHaveLength(1);
    expect(partsOf(task)).toEqual([{ text: 'first ' }, { text: 'second' }]);
  });
});

describe('A2A 1.0 §7.6.1 In-Task Authorization', () => {
  it('MUST use a task in auth-required whose status message explains what is wanted', async () => {
    const { status } = await client.send({ parts: [{ text: 'auth: log in to the forge' }] });
    expect(status.state).toBe('TASK_STATE_AUTH_REQUIRED');
    expect(status.message?.parts).toEqual([{ text: 'log in to the forge' }]);
  });

  it('SHOULD take messages to a task in auth-required', async () => {
    const { id } = await client.send({ parts: [{ text: 'auth: log in' }] });
    const done = await client.send(kitMessage('complete-task', { taskId: id }));
    expect(done).toMatchObject({ id, status: { state: 'TASK_STATE_COMPLETED' } });
  });
});

describe('A2A 1.0 §3.3.2 System errors', () => {
  it('fails a task whose agent fails, with nothing of its fault', async () => {
    const task = await client.send({ parts: [{ text: 'throw-now' }] });
    expect(task.status.state).toBe('TASK_STATE_FAILED');
    expect(JSON.stringify(task)).not.toMatch(/s3cret|postgres:|\bat .*\.[jt]s/);
  });

  it('tells the reason of a refusal in ErrorInfo as text members only', async () => {
    const info = errorInfo(await client.error('GetTask', { id: 'nothing' }));
    for (const value of Object.values(info.metadata ?? {})) expect(value).toBeTypeOf('string');
  });
});
