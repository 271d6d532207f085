import { randomUUID } from 'node:crypto';
import type { Message } from '@cleveragents/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentUnderTest } from './agent-under-test.js';
import { Client03, message03 } from './client-03.js';
import { Client10, errorInfo, messageOf } from './client-10.js';

let agent: AgentUnderTest;

beforeAll(async () => {
  // The scripted agent takes whatever comes: it is the product's own that has something to refuse.
  agent = await AgentUnderTest.start({ A2A_TEST_AGENT: 'off' });
});

afterAll(() => agent.stop());

describe('A2A 1.0 §3.1.1 and 0.3 §8.2: media types that the card does not name', () => {
  const video = { raw: 'AAEC', mediaType: 'video/mp4' };

  it('are refused by ContentTypeNotSupportedError, and leave nothing behind', async () => {
    const client = new Client10(agent);
    const contextId = randomUUID();
    const error = await client.error('SendMessage', { message: messageOf({ contextId, parts: [video] }) });
    expect(error.code).toBe(-32005);
    expect(errorInfo(error)).toMatchObject({ reason: 'CONTENT_TYPE_NOT_SUPPORTED', domain: 'a2a-protocol.org' });
    expect(await client.result('ListTasks', { contextId })).toMatchObject({ totalSize: 0 });
  });

  it('are refused before a stream begins', async () => {
    const stream = await new Client10(agent).stream({ parts: [{ text: 'help' }, video] });
    expect((await stream.refusal()).error?.code).toBe(-32005);
  });

  it('are refused in 0.3', async () => {
    const file = { bytes: 'AAEC', mimeType: 'video/mp4' };
    const error = await new Client03(agent).error('message/send', {
      message: message03({ parts: [{ kind: 'file', file }] }),
    });
    expect(error).toMatchObject({ code: -32005, data: { reason: 'CONTENT_TYPE_NOT_SUPPORTED' } });
  });

  it('does not concern those that it names', async () => {
    const parts: Message['parts'] = [{ text: 'help', mediaType: 'text/plain' }];
    const answer = await new Client10(agent).result<object>('SendMessage', { message: messageOf({ parts }) });
    expect(Object.keys(answer)).toEqual(['message']);
  });
});
