import { randomUUID } from 'node:crypto';
import type { Message, StreamResponse, Task } from '@cleveragents/protocol';
import { expect } from 'vitest';
import type { AgentUnderTest, Headers } from './agent-under-test.js';
import type { EventStream } from './event-stream.js';
import type { JsonRpcError } from './json-rpc-answer.js';
import { expectResult10 } from './shapes-10.js';

const VERSION: Headers = { 'A2A-Version': '1.0' };
const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';

export interface ErrorInfo {
  readonly '@type': string;
  readonly reason: string;
  readonly domain: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A client of A2A 1.0 that accepts nothing but exact shapes. */
export class Client10 {
  constructor(
    private readonly agent: AgentUnderTest,
    private readonly headers: Headers = {},
  ) {}

  async result<T>(operation: string, params: unknown): Promise<T> {
    const { result, error } = await this.agent.call(operation, params, { ...VERSION, ...this.headers });
    expect(error).toBeUndefined();
    expectResult10(operation, result);
    return result as T;
  }

  /** The error of a refused call; its data must be a list of typed objects with one ErrorInfo (§9.5). */
  async error(operation: string, params: unknown): Promise<JsonRpcError> {
    const { error } = await this.agent.call(operation, params, { ...VERSION, ...this.headers });
    return checkedError(error);
  }

  /** The task that answers a message. */
  async send(message: Partial<Message>, configuration?: object): Promise<Task> {
    const answer = await this.result<{ task: Task }>('SendMessage', { message: messageOf(message), configuration });
    expect(Object.keys(answer)).toEqual(['task']);
    return answer.task;
  }

  /** A task that keeps working until somebody cancels it. */
  working(message: Partial<Message> = {}): Promise<Task> {
    return this.send({ parts: [{ text: 'slow: 600000' }], ...message }, { returnImmediately: true });
  }

  task(id: string, params: object = {}): Promise<Task> {
    return this.result<Task>('GetTask', { id, ...params });
  }

  cancel(id: string): Promise<Task> {
    return this.result<Task>('CancelTask', { id });
  }

  async stream(message: Partial<Message>): Promise<EventStream> {
    return this.open('SendStreamingMessage', { message: messageOf(message) });
  }

  subscribe(id: string): Promise<EventStream> {
    return this.open('SubscribeToTask', { id });
  }

  open(operation: string, params: unknown, headers: Headers = {}): Promise<EventStream> {
    return this.agent.open(operation, params, { ...VERSION, ...this.headers, ...headers });
  }
}

export function messageOf(message: Partial<Message> = {}): Message {
  return { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'hello' }], ...message };
}

/** A message that makes the scripted agent behave as the conformance kits ask for. */
export function kitMessage(behaviour: string, rest: Partial<Message> = {}): Message {
  return messageOf({ messageId: `tck-${behaviour}-${randomUUID()}`, ...rest });
}

export async function nextElement(stream: EventStream): Promise<StreamResponse> {
  const { answer } = await stream.take();
  return elementIn(answer.result);
}

export async function restOf(stream: EventStream): Promise<StreamResponse[]> {
  return (await stream.rest()).map(({ answer }) => elementIn(answer.result));
}

function elementIn(result: unknown): StreamResponse {
  expectResult10('SendStreamingMessage', result);
  return result as StreamResponse;
}

export function stateOf({ task, statusUpdate }: StreamResponse): string | undefined {
  return (task ?? statusUpdate)?.status.state;
}

export function checkedError(error: JsonRpcError | undefined): JsonRpcError {
  if (error === undefined) throw new Error('The call was not refused');
  const data = error.data as ErrorInfo[];
  expect(Array.isArray(data)).toBe(true);
  for (const detail of data) expect(detail['@type']).toMatch(/^type\.[\w.]+\//);
  expect(data.filter((detail) => detail['@type'] === ERROR_INFO)).toHaveLength(1);
  return error;
}

export function errorInfo(error: JsonRpcError): ErrorInfo {
  const info = (error.data as ErrorInfo[]).find((detail) => detail['@type'] === ERROR_INFO);
  if (info === undefined) throw new Error('There is no ErrorInfo');
  return info;
}
