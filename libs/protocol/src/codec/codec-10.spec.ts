import type { JsonObject } from '@cleveragents/kernel';
import { ListTasksRequest, SendMessageRequest, TaskPushNotificationConfig } from 'a2a-sdk-1';
import { describe, expect, it } from 'vitest';
import { SUPPORTED_DIALECTS } from '../dialect.js';
import { codec10 } from './codec-10.js';
import { codecFor } from './codec-for.js';

describe('1.0 codec', () => {
  it('passes results and stream elements through as they are', () => {
    const result: JsonObject = { task: { id: 't' } };
    const event = { message: { messageId: 'm', role: 'ROLE_AGENT' as const, parts: [{ text: 'a' }] } };
    expect(codec10.isIdentity).toBe(true);
    expect(codec10.encode('SendMessage', result)).toBe(result);
    expect(codec10.streamEncoder().encode(event, true)).toEqual([event]);
  });

  it('keeps every member of a send that the 1.0 SDK knows', () => {
    const request = {
      tenant: 'acme',
      message: {
        messageId: 'm-1',
        contextId: 'c-1',
        taskId: 't-1',
        role: 'ROLE_USER',
        parts: [
          { text: 'hi', metadata: { a: 1 }, filename: 'a.md', mediaType: 'text/markdown' },
          { raw: 'aGk=', filename: 'hi.txt' },
          { url: 'https://x.test/a' },
          { data: [1, null] },
        ],
        metadata: { b: 2 },
        extensions: ['urn:x'],
        referenceTaskIds: ['t-0'],
      },
      configuration: {
        acceptedOutputModes: ['text/plain'],
        taskPushNotificationConfig: {
          id: 'p',
          url: 'https://x.test/h',
          token: 'tok',
          authentication: { scheme: 'Bearer', credentials: 's' },
        },
        historyLength: 0,
        returnImmediately: true,
      },
      metadata: { c: 3 },
    };
    const sent = SendMessageRequest.toJSON(SendMessageRequest.fromJSON(request)) as JsonObject;
    expect(sent).toEqual(request);
    expect(codec10.decode('SendMessage', sent)).toEqual(request);
  });

  it('understands older spellings too', () => {
    const message = { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hi' }] };
    expect(codec10.decode('SendMessage', { message, configuration: { blocking: true } })).toEqual({
      message: { role: 'ROLE_USER', parts: [{ text: 'hi' }] },
      configuration: { returnImmediately: false },
    });
  });

  it('keeps every filter of a list', () => {
    const request = {
      tenant: 'acme',
      contextId: 'c',
      status: 'TASK_STATE_WORKING',
      pageSize: 5,
      pageToken: 'p',
      historyLength: 0,
      statusTimestampAfter: '2026-01-02T03:04:05.678Z',
      includeArtifacts: true,
    };
    const sent = ListTasksRequest.toJSON(ListTasksRequest.fromJSON(request)) as JsonObject;
    expect(codec10.decode('ListTasks', sent)).toEqual(request);
  });

  it('keeps push configuration requests flat', () => {
    const config = { tenant: 'acme', id: 'p', taskId: 't', url: 'https://x.test/h', token: 'tok' };
    const request = { ...config, authentication: { scheme: 'Bearer', credentials: 's' } };
    const sent = TaskPushNotificationConfig.toJSON(TaskPushNotificationConfig.fromJSON(request)) as JsonObject;
    expect(codec10.decode('CreateTaskPushNotificationConfig', sent)).toEqual(request);
  });

  it('takes a lone id for that of the configuration, so that the missing task id is reported', () => {
    expect(codec10.decode('GetTaskPushNotificationConfig', { id: 'p' })).toEqual({ id: 'p' });
    expect(codec10.decode('DeleteTaskPushNotificationConfig', { taskId: 't', id: 'p' })).toEqual({
      taskId: 't',
      id: 'p',
    });
  });
});

describe('codecFor', () => {
  it.each(SUPPORTED_DIALECTS)('knows the codec of %s', (dialect) => {
    expect(codecFor(dialect).dialect).toBe(dialect);
  });
});
