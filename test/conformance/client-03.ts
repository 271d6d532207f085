import { randomUUID } from 'node:crypto';
import type { Message, Task } from 'a2a-sdk-03';
import { expect } from 'vitest';
import type { AgentUnderTest, Headers } from './agent-under-test.js';
import type { EventStream } from './event-stream.js';
import type { JsonRpcError } from './json-rpc-answer.js';
import { expectResult03, type StreamElement03 } from './shapes-03.js';

/** A client of A2A 0.3, which states no version, and accepts nothing but exact shapes. */
export class Client03 {
  constructor(
    private readonly agent: AgentUnderTest,
    private readonly headers: Headers = {},
  ) {}

  async result<T>(method: string, params?: unknown): Promise<T> {
    const { result, error } = await this.agent.call(method, params, this.headers);
    expect(error).toBeUndefined();
    expectResult03(method, result);
    return result as T;
  }

  async error(method: string, params?: unknown): Promise<JsonRpcError> {
    const { error } = await this.agent.call(method, params, this.headers);
    if (error === undefined) throw new Error('The call was not refused');
    return error;
  }

  async send(message: Partial<Message>, configuration?: object): Promise<Task> {
    const task = await this.result<Task>('message/send', { message: message03(message), configuration });
    expect(task.kind).toBe('task');
    return task;
  }

  /** A task that keeps working until somebody cancels it. */
  working(message: Partial<Message> = {}): Promise<Task> {
    return this.send({ parts: [{ kind: 'text', text: 'slow: 600000' }], ...message }, { blocking: false });
  }

  task(id: string, params: object = {}): Promise<Task> {
    return this.result<Task>('tasks/get', { id, ...params });
  }

  cancel(id: string): Promise<Task> {
    return this.result<Task>('tasks/cancel', { id });
  }

  stream(message: Partial<Message>): Promise<EventStream> {
    return this.agent.open('message/stream', { message: message03(message) }, this.headers);
  }

  resubscribe(id: string, headers: Headers = {}): Promise<EventStream> {
    return this.agent.open('tasks/resubscribe', { id }, { ...this.headers, ...headers });
  }
}

export function message03(message: Partial<Message> = {}): Message {
  return {
    kind: 'message',
    role: 'user',
    messageId: randomUUID(),
    parts: [{ kind: 'text', text: 'hello' }],
    ...message,
  };
}

/** A message that makes the scripted agent behave as the conformance kits ask for. */
export function kitMessage03(behaviour: string, rest: Partial<Message> = {}): Message {
  return message03({ messageId: `tck-${behaviour}-${randomUUID()}`, ...rest });
}

export async function nextElement03(stream: EventStream): Promise<StreamElement03> {
  const { answer } = await stream.take();
  return elementIn(answer.result);
}

export async function restOf03(stream: EventStream): Promise<StreamElement03[]> {
  return (await stream.rest()).map(({ answer }) => elementIn(answer.result));
}

function elementIn(result: unknown): StreamElement03 {
  expectResult03('message/stream', result);
  return result as StreamElement03;
}
