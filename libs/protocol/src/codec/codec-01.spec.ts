import { ValidationError, type JsonObject, type JsonValue } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import type { Artifact, Message, Task } from '../a2a.js';
import { buildCard10 } from '../card/build-card.js';
import { OPERATIONS } from '../dialect.js';
import { codec01 } from './codec-01.js';

const json = (value: object) => JSON.parse(JSON.stringify(value)) as JsonObject;
const send = (params: JsonObject) => codec01.decode('SendMessage', params, 'tasks/send');

const TIME = '2026-01-02T03:04:05.678Z';
const artifact: Artifact = {
  artifactId: 'a-1',
  name: 'out',
  parts: [{ data: { key: 'value' } }],
  extensions: ['urn:x'],
};
const reply: Message = {
  messageId: 'r-1',
  role: 'ROLE_AGENT',
  contextId: 'c-1',
  taskId: 't-1',
  parts: [{ text: 'ok' }],
};
const task: Task = {
  id: 't-1',
  contextId: 'c-1',
  status: { state: 'TASK_STATE_COMPLETED', timestamp: TIME, message: reply },
  artifacts: [artifact, { artifactId: 'a-0', description: 'more', parts: [{ text: 'x' }], metadata: { m: 1 } }],
  history: [
    {
      messageId: 'm-1',
      role: 'ROLE_USER',
      parts: [
        { url: 'https://x.test/a', mediaType: 'text/csv' },
        { raw: 'aGk=', filename: 'hi.txt' },
      ],
      metadata: { n: 2 },
    },
  ],
  metadata: { k: 1 },
};
const taskOnTheWire = {
  id: 't-1',
  sessionId: 'c-1',
  status: {
    state: 'completed',
    timestamp: TIME,
    message: { role: 'agent', parts: [{ type: 'text', text: 'ok' }] },
  },
  artifacts: [
    { name: 'out', parts: [{ type: 'data', data: { key: 'value' } }], index: 0 },
    { description: 'more', parts: [{ type: 'text', text: 'x' }], index: 1, metadata: { m: 1 } },
  ],
  history: [
    {
      role: 'user',
      parts: [
        { type: 'file', file: { uri: 'https://x.test/a', mimeType: 'text/csv' } },
        { type: 'file', file: { bytes: 'aGk=', name: 'hi.txt' } },
      ],
      metadata: { n: 2 },
    },
  ],
  metadata: { k: 1 },
};

describe('0.1 codec, the samples of the agent guide', () => {
  it('reads the send of the sample client, which names nothing', () => {
    const params = { message: { role: 'user', parts: [{ type: 'text', text: 'Extrais les montants' }] } };
    expect(send(params)).toEqual({ message: { role: 'ROLE_USER', parts: [{ text: 'Extrais les montants' }] } });
    expect(codec01.wireTaskId(params)).toBeUndefined();
  });

  it('answers a send as the sample server does: id, state and artifacts', () => {
    const done: Task = { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_COMPLETED', timestamp: TIME } };
    expect(json({ result: codec01.encode('SendMessage', json({ task: { ...done, artifacts: [artifact] } })) })).toEqual(
      {
        result: {
          id: 't-1',
          sessionId: 'c-1',
          status: { state: 'completed', timestamp: TIME },
          artifacts: [{ name: 'out', parts: [{ type: 'data', data: { key: 'value' } }], index: 0 }],
        },
      },
    );
  });

  it('reads the get of the sample server', () => {
    expect(codec01.decode('GetTask', { id: 't-1' }, 'tasks/get')).toEqual({ id: 't-1' });
  });

  it('takes the taskId that the guide recommends for the id of the task', () => {
    const message = { role: 'user', parts: [{ type: 'text', text: 'a' }] };
    expect(send({ taskId: 'mine', message })).toMatchObject({ clientTaskId: 'mine' });
    expect(codec01.wireTaskId({ taskId: 'mine', message })).toBe('mine');
  });

  it('reads parts by the names that the guide gives them, a file with its uri beside the name included', () => {
    const parts = [
      { type: 'TextPart', text: 'a' },
      { type: 'DataPart', data: { key: 'value' } },
      { type: 'FilePart', uri: 'https://x.test/a', mimeType: 'application/pdf', name: 'a.pdf' },
      { type: 'FilePart', file: { bytes: 'aGk=' } },
    ];
    expect(send({ message: { parts } })).toEqual({
      message: {
        parts: [
          { text: 'a' },
          { data: { key: 'value' } },
          { url: 'https://x.test/a', mediaType: 'application/pdf', filename: 'a.pdf' },
          { raw: 'aGk=' },
        ],
      },
    });
  });
});

describe('0.1 codec, requests', () => {
  it('reads every member of a send', () => {
    const params = {
      id: 'my task',
      sessionId: 's-1',
      message: { role: 'agent', parts: [{ type: 'file', file: { bytes: 'aGk=' } }], metadata: { a: 1 } },
      acceptedOutputModes: ['text/plain'],
      pushNotification: { url: 'https://x.test/h', token: 'tok', authentication: { schemes: ['Bearer'] } },
      historyLength: 3,
      metadata: { idempotencyKey: 'k' },
    };
    const request = {
      clientTaskId: 'my task',
      message: { role: 'ROLE_AGENT', contextId: 's-1', parts: [{ raw: 'aGk=' }], metadata: { a: 1 } },
      configuration: {
        acceptedOutputModes: ['text/plain'],
        historyLength: 3,
        taskPushNotificationConfig: {
          id: 'default',
          url: 'https://x.test/h',
          token: 'tok',
          authentication: { scheme: 'Bearer' },
        },
      },
      metadata: { idempotencyKey: 'k' },
    };
    expect(send(params)).toEqual(request);
    expect(codec01.decode('SendStreamingMessage', params, 'tasks/sendSubscribe')).toEqual(request);
  });

  it('understands the spellings of later generations', () => {
    const message = {
      kind: 'message',
      messageId: 'm',
      taskId: 't',
      contextId: 'c',
      role: 'user',
      parts: [{ text: 'a' }],
    };
    expect(send({ message, configuration: { blocking: false, historyLength: 1 } })).toEqual({
      message: { messageId: 'm', taskId: 't', contextId: 'c', role: 'ROLE_USER', parts: [{ text: 'a' }] },
      configuration: { returnImmediately: true, historyLength: 1 },
    });
  });

  it.each<[JsonObject, string]>([
    [{ id: 'a', taskId: 'b' }, 'id'],
    [{ sessionId: 's', message: { contextId: 'c' } }, 'sessionId'],
    [{ historyLength: 1, configuration: { historyLength: 2 } }, 'historyLength'],
    [
      { pushNotification: { url: 'a' }, configuration: { pushNotificationConfig: { id: 'default', url: 'b' } } },
      'pushNotification',
    ],
  ])('refuses the contradiction %j', (params, path) => {
    expect(() => send(params)).toThrow(ValidationError);
    expect(() => send(params)).toThrow(path);
  });

  it('takes empty ids for unset', () => {
    expect(send({ id: '', sessionId: '', message: { parts: [] } })).toEqual({ message: { parts: [] } });
    expect(codec01.wireTaskId({ id: '' })).toBeUndefined();
  });

  it.each<JsonValue>(['x', 7, [], [{ parts: 1 }]])('leaves the ill-typed value %j to validation', (value) => {
    expect(send({ id: 7, message: value, sessionId: 's', configuration: value })).toEqual({
      clientTaskId: 7,
      message: value,
      configuration: value,
    });
    expect(send({ pushNotification: value })).toEqual({ configuration: { taskPushNotificationConfig: value } });
    expect(codec01.wireTaskId({ id: 7 })).toBeUndefined();
  });

  it('reads the requests about a task', () => {
    const params = { id: 't', historyLength: 2, metadata: { afterSeq: 3 }, other: 1 };
    expect(codec01.decode('GetTask', params, 'tasks/get')).toEqual({ id: 't', historyLength: 2 });
    expect(codec01.decode('CancelTask', params, 'tasks/cancel')).toEqual({ id: 't', metadata: { afterSeq: 3 } });
    expect(codec01.decode('SubscribeToTask', params, 'tasks/resubscribe')).toEqual({
      id: 't',
      metadata: { afterSeq: 3 },
    });
    expect(codec01.decode('GetTask', { taskId: 't' }, 'tasks/get')).toEqual({ id: 't' });
    expect(codec01.wireTaskId(params)).toBe('t');
  });

  it('means the one configuration that a task has in 0.1', () => {
    const config = { url: 'https://x.test/h', token: 'tok' };
    const set = {
      id: 't',
      pushNotificationConfig: { ...config, authentication: { schemes: ['Bearer'], credentials: 's' } },
    };
    expect(codec01.decode('CreateTaskPushNotificationConfig', set, 'tasks/pushNotification/set')).toEqual({
      taskId: 't',
      id: 'default',
      ...config,
      authentication: { scheme: 'Bearer', credentials: 's' },
    });
    expect(codec01.decode('GetTaskPushNotificationConfig', { id: 't' }, 'tasks/pushNotification/get')).toEqual({
      taskId: 't',
      id: 'default',
    });
  });

  it('makes nothing up for empty params', () => {
    const expected = (operation: string) => (operation === 'GetTaskPushNotificationConfig' ? { id: 'default' } : {});
    for (const operation of OPERATIONS) expect(codec01.decode(operation, {})).toEqual(expected(operation));
  });
});

describe('0.1 codec, results', () => {
  it('spells a task', () => {
    for (const operation of ['GetTask', 'CancelTask'] as const) {
      expect(json({ result: codec01.encode(operation, json(task)) })).toEqual({ result: taskOnTheWire });
    }
    expect(json({ result: codec01.encode('SendMessage', json({ task })) })).toEqual({ result: taskOnTheWire });
  });

  it('calls the task what its client calls it', () => {
    const renamed = { ...taskOnTheWire, id: 'my task' };
    expect(codec01.encode('GetTask', json(task), 'my task')).toEqual(renamed);
    expect(codec01.encode('SendMessage', json({ task }), 'my task')).toEqual(renamed);
    const config = { taskId: 't-1', id: 'default', url: 'https://x.test/h' };
    expect(codec01.encode('GetTaskPushNotificationConfig', config, 'my task')).toMatchObject({ id: 'my task' });
  });

  it('answers a direct message as a task that is over', () => {
    const over = {
      id: 't-1',
      sessionId: 'c-1',
      status: { state: 'completed', message: { role: 'agent', parts: [{ type: 'text', text: 'ok' }] } },
    };
    expect(codec01.encode('SendMessage', json({ message: reply }))).toEqual(over);
    expect(codec01.encode('SendMessage', json({ message: reply }), 'mine')).toEqual({ ...over, id: 'mine' });
    const { taskId: _taskId, ...unbound } = reply;
    expect(codec01.encode('SendMessage', json({ message: unbound }))).toEqual({ ...over, id: 'r-1' });
  });

  it.each([
    ['TASK_STATE_SUBMITTED', 'submitted'],
    ['TASK_STATE_WORKING', 'working'],
    ['TASK_STATE_INPUT_REQUIRED', 'input-required'],
    ['TASK_STATE_AUTH_REQUIRED', 'input-required'],
    ['TASK_STATE_COMPLETED', 'completed'],
    ['TASK_STATE_FAILED', 'failed'],
    ['TASK_STATE_CANCELED', 'canceled'],
    ['TASK_STATE_REJECTED', 'failed'],
  ])('spells %s as %s', (inside, wire) => {
    const encoded = codec01.encode('GetTask', json({ ...task, status: { state: inside, timestamp: TIME } }));
    expect(encoded).toMatchObject({ status: { state: wire } });
  });

  it('nests a push configuration beside its task, without the id that 0.1 does not know', () => {
    const authentication = { scheme: 'Bearer', credentials: 'secret' };
    const config = { taskId: 't-1', id: 'default', url: 'https://x.test/h', token: 'tok', authentication };
    const nested = {
      id: 't-1',
      pushNotificationConfig: {
        url: 'https://x.test/h',
        token: 'tok',
        authentication: { schemes: ['Bearer'], credentials: 'secret' },
      },
    };
    expect(codec01.encode('CreateTaskPushNotificationConfig', config)).toEqual(nested);
    expect(codec01.encode('GetTaskPushNotificationConfig', config)).toEqual(nested);
  });

  it('answers what 0.1 does not offer in the shapes that its clients know', () => {
    const list = { tasks: [task], nextPageToken: '', pageSize: 50, totalSize: 1 };
    expect(codec01.encode('ListTasks', json(list))).toEqual({ ...list, tasks: [taskOnTheWire] });
    const configs = [{ taskId: 't-1', id: 'p-1', url: 'https://x.test/h' }];
    expect(codec01.encode('ListTaskPushNotificationConfigs', { configs, nextPageToken: '' })).toEqual([
      { id: 't-1', pushNotificationConfig: { id: 'p-1', url: 'https://x.test/h' } },
    ]);
    expect(codec01.encode('DeleteTaskPushNotificationConfig', {})).toBeNull();
    const facts = { baseUrl: 'https://x.test', version: '1.0', streaming: true, pushNotifications: false };
    const card = buildCard10({ ...facts, extendedCard: true, extensionRequired: false, skills: [] });
    expect(codec01.encode('GetExtendedAgentCard', json(card))).toMatchObject({
      authentication: { schemes: ['Bearer'] },
    });
  });

  it('writes one event alone as an update, the Task as its status', () => {
    const status = { id: 't-1', status: taskOnTheWire.status, final: true, metadata: { k: 1 } };
    expect(codec01.encode('SubscribeToTask', json({ task }))).toEqual(status);
    expect(codec01.encode('SendStreamingMessage', json({ message: reply }))).toMatchObject({ id: 't-1', final: true });
  });

  it('fails on a result without content', () => {
    expect(() => codec01.encode('SendMessage', {})).toThrow(TypeError);
    expect(() => codec01.encode('SubscribeToTask', {})).toThrow(TypeError);
  });
});
