import { ValidationError, type JsonObject, type JsonValue } from '@cleveragents/kernel';
import type * as sdk03 from 'a2a-sdk-03';
import { describe, expect, it } from 'vitest';
import type { Artifact, Message, StreamResponse, Task } from '../a2a.js';
import { buildCard10 } from '../card/build-card.js';
import { OPERATIONS } from '../dialect.js';
import { codec03 } from './codec-03.js';

const json = (value: object) => JSON.parse(JSON.stringify(value)) as JsonObject;
const decoded = (message: object, rest: object = {}) => codec03.decode('SendMessage', json({ message, ...rest }));

const element = (event: StreamResponse, closesStream: boolean) =>
  codec03.streamEncoder().encode(event, closesStream)[0];

const artifact: Artifact = { artifactId: 'a-1', name: 'out', parts: [{ text: 'chunk' }], extensions: ['urn:x'] };
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
  status: { state: 'TASK_STATE_INPUT_REQUIRED', timestamp: '2026-01-02T03:04:05.678Z', message: reply },
  artifacts: [artifact],
  history: [{ messageId: 'm-1', role: 'ROLE_USER', parts: [{ url: 'https://x.test/a', mediaType: 'text/csv' }] }],
  metadata: { k: 1 },
};

const artifactIn03: sdk03.Artifact = {
  artifactId: 'a-1',
  name: 'out',
  parts: [{ kind: 'text', text: 'chunk' }],
  extensions: ['urn:x'],
};
const replyIn03: sdk03.Message = {
  kind: 'message',
  messageId: 'r-1',
  role: 'agent',
  contextId: 'c-1',
  taskId: 't-1',
  parts: [{ kind: 'text', text: 'ok' }],
};
const taskIn03: sdk03.Task = {
  kind: 'task',
  id: 't-1',
  contextId: 'c-1',
  status: { state: 'input-required', timestamp: '2026-01-02T03:04:05.678Z', message: replyIn03 },
  artifacts: [artifactIn03],
  history: [
    {
      kind: 'message',
      messageId: 'm-1',
      role: 'user',
      parts: [{ kind: 'file', file: { uri: 'https://x.test/a', mimeType: 'text/csv' } }],
    },
  ],
  metadata: { k: 1 },
};

describe('0.3 codec, results', () => {
  it('spells a task as the 0.3 SDK types it', () => {
    expect(codec03.encode('GetTask', json(task))).toEqual(taskIn03);
    expect(codec03.encode('CancelTask', json(task))).toEqual(taskIn03);
  });

  it('answers a send bare, told apart by kind', () => {
    expect(codec03.encode('SendMessage', json({ task }))).toEqual(taskIn03);
    expect(codec03.encode('SendMessage', json({ message: reply }))).toEqual(replyIn03);
  });

  it('writes no member that is not there', () => {
    const status = { state: 'TASK_STATE_WORKING', timestamp: '2026-01-02T03:04:05.678Z' };
    const text = JSON.stringify(codec03.encode('GetTask', { id: 't', contextId: 'c', status }));
    expect(text).toBe(
      '{"kind":"task","id":"t","contextId":"c","status":{"state":"working","timestamp":"2026-01-02T03:04:05.678Z"}}',
    );
  });

  it('lists tasks in their 0.3 shape', () => {
    const list = { tasks: [task], nextPageToken: '', pageSize: 50, totalSize: 1 };
    expect(codec03.encode('ListTasks', json(list))).toEqual({ ...list, tasks: [taskIn03] });
  });

  it.each([
    ['TASK_STATE_SUBMITTED', 'submitted'],
    ['TASK_STATE_WORKING', 'working'],
    ['TASK_STATE_INPUT_REQUIRED', 'input-required'],
    ['TASK_STATE_AUTH_REQUIRED', 'auth-required'],
    ['TASK_STATE_COMPLETED', 'completed'],
    ['TASK_STATE_FAILED', 'failed'],
    ['TASK_STATE_CANCELED', 'canceled'],
    ['TASK_STATE_REJECTED', 'rejected'],
  ])('spells %s as %s, both ways', (inside, wire) => {
    const encoded = codec03.encode('GetTask', json({ ...task, status: { ...task.status, state: inside } }));
    expect(encoded).toMatchObject({ status: { state: wire } });
    expect(codec03.decode('ListTasks', { status: wire })).toEqual({ status: inside });
  });

  it('nests push configurations, lists them as an array, and answers null to a delete', () => {
    const config = { taskId: 't-1', id: 'p-1', url: 'https://x.test/h', token: 'tok' };
    const authentication = { scheme: 'Bearer', credentials: 'secret' };
    const expected: sdk03.TaskPushNotificationConfig = {
      taskId: 't-1',
      pushNotificationConfig: {
        id: 'p-1',
        url: 'https://x.test/h',
        token: 'tok',
        authentication: { schemes: ['Bearer'], credentials: 'secret' },
      },
    };
    const full = { ...config, authentication };
    expect(codec03.encode('CreateTaskPushNotificationConfig', full)).toEqual(expected);
    expect(codec03.encode('GetTaskPushNotificationConfig', full)).toEqual(expected);
    const list = { configs: [full], nextPageToken: '' };
    expect(codec03.encode('ListTaskPushNotificationConfigs', list)).toEqual([expected]);
    expect(codec03.encode('DeleteTaskPushNotificationConfig', {})).toBeNull();
  });

  it('answers the extended card in the form that older generations read', () => {
    const facts = { baseUrl: 'https://x.test', version: '1.0', streaming: true, pushNotifications: false };
    const card = buildCard10({ ...facts, extendedCard: true, extensionRequired: false, skills: [] });
    expect(codec03.encode('GetExtendedAgentCard', json(card))).toMatchObject({
      url: 'https://x.test/a2a',
      supportsAuthenticatedExtendedCard: true,
    });
  });

  it('wraps data that is no object, as the official translation does', () => {
    const data = element({ message: { ...reply, parts: [{ data: [1], metadata: { k: 1 } }, { data: null }] } }, true);
    expect(data).toMatchObject({
      parts: [
        { kind: 'data', data: { value: [1] }, metadata: { k: 1, data_part_compat: true } },
        { kind: 'data', data: { value: null }, metadata: { data_part_compat: true } },
      ],
    });
  });
});

describe('0.3 codec, stream elements', () => {
  it('do not depend on each other: all streams share one encoder', () => {
    expect(codec03.streamEncoder()).toBe(codec03.streamEncoder('ignored'));
  });

  const statusUpdate = { taskId: 't-1', contextId: 'c-1', status: task.status, metadata: { m: 1 } };

  it('marks a status update final when the stream ends with it', () => {
    const expected: sdk03.TaskStatusUpdateEvent = {
      kind: 'status-update',
      taskId: 't-1',
      contextId: 'c-1',
      status: taskIn03.status,
      final: true,
      metadata: { m: 1 },
    };
    expect(element({ statusUpdate }, true)).toEqual(expected);
    expect(element({ statusUpdate }, false)).toEqual({ ...expected, final: false });
  });

  it('marks a status update of a terminal state final, whatever the stream does', () => {
    const status = { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-02T03:04:05.678Z' } as const;
    expect(element({ statusUpdate: { ...statusUpdate, status } }, false)).toMatchObject({ final: true });
  });

  it('spells an artifact update as the 0.3 SDK types it', () => {
    const expected: sdk03.TaskArtifactUpdateEvent = {
      kind: 'artifact-update',
      taskId: 't-1',
      contextId: 'c-1',
      artifact: artifactIn03,
      append: true,
      lastChunk: false,
    };
    const artifactUpdate = { taskId: 't-1', contextId: 'c-1', artifact, append: true, lastChunk: false };
    expect(element({ artifactUpdate }, false)).toEqual(expected);
  });

  it('sends a snapshot as a task and a direct answer as a message', () => {
    expect(element({ task }, false)).toEqual(taskIn03);
    expect(element({ message: reply }, true)).toEqual(replyIn03);
  });
});

describe('0.3 codec, requests', () => {
  it('reads what the 0.3 SDK sends', () => {
    const params: sdk03.MessageSendParams = {
      message: {
        kind: 'message',
        messageId: 'm-1',
        role: 'user',
        contextId: 'c-1',
        taskId: 't-1',
        referenceTaskIds: ['t-0'],
        extensions: ['urn:x'],
        metadata: { a: 1 },
        parts: [
          { kind: 'text', text: 'hi', metadata: { b: 2 } },
          { kind: 'file', file: { bytes: 'aGk=', name: 'hi.txt', mimeType: 'text/plain' } },
          { kind: 'file', file: { uri: 'https://x.test/a' } },
          { kind: 'data', data: { c: 3 } },
        ],
      },
      configuration: {
        acceptedOutputModes: ['text/plain'],
        blocking: false,
        historyLength: 3,
        pushNotificationConfig: { url: 'https://x.test/h', authentication: { schemes: ['Bearer', 'Basic'] } },
      },
      metadata: { d: 4 },
    };
    expect(codec03.decode('SendStreamingMessage', json(params))).toEqual({
      message: {
        messageId: 'm-1',
        role: 'ROLE_USER',
        contextId: 'c-1',
        taskId: 't-1',
        referenceTaskIds: ['t-0'],
        extensions: ['urn:x'],
        metadata: { a: 1 },
        parts: [
          { text: 'hi', metadata: { b: 2 } },
          { raw: 'aGk=', filename: 'hi.txt', mediaType: 'text/plain' },
          { url: 'https://x.test/a' },
          { data: { c: 3 } },
        ],
      },
      configuration: {
        acceptedOutputModes: ['text/plain'],
        returnImmediately: true,
        historyLength: 3,
        taskPushNotificationConfig: { url: 'https://x.test/h', authentication: { scheme: 'Bearer' } },
      },
      metadata: { d: 4 },
    });
  });

  it('tells parts by kind, by type or by their members', () => {
    const parts = [
      { kind: 'text', text: 'a' },
      { type: 'text', text: 'a' },
      { text: 'a' },
      { type: 'file', file: { uri: 'u' } },
      { file: { uri: 'u' } },
      { kind: 'file', url: 'u' },
      { url: 'u' },
      { type: 'data', data: {} },
      { data: {} },
      { data: null },
      { text: 'a', data: null },
    ];
    const [text, url, data] = [{ text: 'a' }, { url: 'u' }, { data: {} }];
    expect(decoded({ parts })).toEqual({
      message: { parts: [text, text, text, url, url, url, url, data, data, { data: null }, text] },
    });
  });

  it('drops what no generation knows', () => {
    const message = {
      kind: 'message',
      messageId: 'm',
      role: 'user',
      parts: [{ kind: 'text', text: 'a', colour: 1 }],
      x: 1,
    };
    expect(decoded(message, { y: 1, configuration: { z: 1 } })).toEqual({
      message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'a' }] },
      configuration: {},
    });
  });

  it('takes null and empty ids for unset', () => {
    expect(decoded({ messageId: 'm', contextId: '', taskId: null, metadata: null, parts: [] })).toEqual({
      message: { messageId: 'm', parts: [] },
    });
  });

  it.each<JsonValue>(['x', 7, [], [{ parts: 1 }]])('leaves the ill-typed message %j to validation', (message) => {
    expect(codec03.decode('SendMessage', { message, configuration: message })).toEqual({
      message,
      configuration: message,
    });
  });

  it('leaves ill-typed members to validation', () => {
    const message = { messageId: 7, role: 'boss', parts: ['x', { text: 7 }], contextId: [], metadata: 'm' };
    expect(decoded(message, { configuration: { blocking: 'no', historyLength: 'all' } })).toEqual({
      message,
      configuration: { returnImmediately: 'no', historyLength: 'all' },
    });
  });

  it.each([
    [{ blocking: true }, false],
    [{ blocking: false }, true],
    [{ returnImmediately: true }, true],
    [{ blocking: true, returnImmediately: false }, false],
  ])('reads %j as returnImmediately %s', (configuration, returnImmediately) => {
    expect(decoded({}, { configuration })).toMatchObject({ configuration: { returnImmediately } });
  });

  it.each([
    [{ blocking: false, returnImmediately: false }, 'configuration.blocking'],
    [{ blocking: true, returnImmediately: true }, 'configuration.blocking'],
    [
      { pushNotificationConfig: { url: 'a' }, taskPushNotificationConfig: { url: 'b' } },
      'configuration.taskPushNotificationConfig',
    ],
  ])('R28 refuses the contradiction %j', (configuration, path) => {
    expect(() => decoded({}, { configuration })).toThrow(ValidationError);
    expect(() => decoded({}, { configuration })).toThrow(path);
  });

  it('keeps of the other requests what 1.0 and the platform know', () => {
    const everything = { id: 't', historyLength: 2, metadata: { afterSeq: 3 }, tenant: 'acme', other: 1 };
    expect(codec03.decode('GetTask', everything)).toEqual({ id: 't', historyLength: 2, tenant: 'acme' });
    expect(codec03.decode('CancelTask', everything)).toEqual({ id: 't', metadata: { afterSeq: 3 }, tenant: 'acme' });
    expect(codec03.decode('SubscribeToTask', everything)).toEqual({
      id: 't',
      metadata: { afterSeq: 3 },
      tenant: 'acme',
    });
    expect(codec03.decode('GetExtendedAgentCard', everything)).toEqual({ tenant: 'acme' });
  });

  it('reads the filters of a list', () => {
    const filters = {
      contextId: 'c',
      pageSize: 0,
      pageToken: 'p',
      historyLength: -1,
      includeArtifacts: false,
      metadata: {},
    };
    expect(codec03.decode('ListTasks', { ...filters, status: 'working', namespace: 'acme' })).toEqual({
      ...filters,
      status: 'TASK_STATE_WORKING',
      tenant: 'acme',
    });
    const unset = { status: 'TASK_STATE_UNSPECIFIED', contextId: '', pageToken: '', tenant: '' };
    expect(codec03.decode('ListTasks', unset)).toEqual({});
    expect(codec03.decode('ListTasks', { status: 'busy' })).toEqual({ status: 'busy' });
  });

  it('gives an empty request for empty params of every operation but those that mean the default configuration', () => {
    const expected = (operation: string) => (operation === 'GetTaskPushNotificationConfig' ? { id: 'default' } : {});
    for (const operation of OPERATIONS) expect(codec03.decode(operation, {})).toEqual(expected(operation));
  });
});

describe('0.3 codec, push configuration requests', () => {
  const config = { url: 'https://x.test/h', token: 'tok', authentication: { schemes: ['Bearer'], credentials: 's' } };
  const flat = {
    taskId: 't',
    url: 'https://x.test/h',
    token: 'tok',
    authentication: { scheme: 'Bearer', credentials: 's' },
  };
  const create = (params: object, method: string) =>
    codec03.decode('CreateTaskPushNotificationConfig', json(params), method);

  it('flattens a nested configuration', () => {
    const params = { taskId: 't', pushNotificationConfig: { ...config, id: 'p' } };
    expect(create(params, 'tasks/pushNotificationConfig/set')).toEqual({ ...flat, id: 'p' });
  });

  it('means the default configuration by a set without an id, and a new one by a create', () => {
    const params = { taskId: 't', pushNotificationConfig: config };
    expect(create(params, 'tasks/pushNotificationConfig/set')).toEqual({ ...flat, id: 'default' });
    expect(create(params, 'pushNotificationConfig/create')).toEqual(flat);
  });

  it('accepts the flat form of 1.0', () => {
    expect(create({ ...flat, id: 'p' }, 'pushNotificationConfig/create')).toEqual({ ...flat, id: 'p' });
  });

  it('refuses two schemes that contradict each other', () => {
    const authentication = { scheme: 'Basic', schemes: ['Bearer'] };
    expect(() => create({ ...flat, authentication }, 'pushNotificationConfig/create')).toThrow(ValidationError);
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { id: 't', pushNotificationConfigId: 'p' },
      { taskId: 't', id: 'p' },
    ],
    [
      { taskId: 't', pushNotificationConfigId: 'p' },
      { taskId: 't', id: 'p' },
    ],
    [
      { taskId: 't', id: 'p' },
      { taskId: 't', id: 'p' },
    ],
    [{ id: 't' }, { taskId: 't', id: 'default' }],
  ])('finds the ids of a get in %j', (params, request) => {
    expect(codec03.decode('GetTaskPushNotificationConfig', params)).toEqual(request);
  });

  it('does not delete the default configuration by omission', () => {
    expect(codec03.decode('DeleteTaskPushNotificationConfig', { id: 't' })).toEqual({ taskId: 't' });
    const named = { id: 't', pushNotificationConfigId: 'p' };
    expect(codec03.decode('DeleteTaskPushNotificationConfig', named)).toEqual({ taskId: 't', id: 'p' });
  });

  it('lists by the task id under either name', () => {
    expect(codec03.decode('ListTaskPushNotificationConfigs', { id: 't' })).toEqual({ taskId: 't' });
    expect(codec03.decode('ListTaskPushNotificationConfigs', { taskId: 't' })).toEqual({ taskId: 't' });
  });
});
