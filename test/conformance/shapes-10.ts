import {
  AgentCard,
  ListTaskPushNotificationConfigsResponse,
  ListTasksResponse,
  Message,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskArtifactUpdateEvent,
  TaskPushNotificationConfig,
  TaskStatusUpdateEvent,
} from 'a2a-sdk-1';
import { expect } from 'vitest';

interface WireType<T> {
  fromJSON(json: unknown): T;
  toJSON(message: T): unknown;
}

interface Json {
  readonly [name: string]: unknown;
}

/** Wire types of the results of A2A 1.0 by operation; the official SDK's reading of the protocol buffers. */
const RESULTS: Readonly<Record<string, (json: unknown) => void>> = {
  SendMessage: (json) => expectUnion(json, SendMessageResponse),
  SendStreamingMessage: (json) => expectUnion(json, StreamResponse),
  SubscribeToTask: (json) => expectUnion(json, StreamResponse),
  GetTask: expectTask,
  CancelTask: expectTask,
  ListTasks: expectTaskList,
  CreateTaskPushNotificationConfig: (json) => expectType(json, TaskPushNotificationConfig),
  GetTaskPushNotificationConfig: (json) => expectType(json, TaskPushNotificationConfig),
  ListTaskPushNotificationConfigs: (json) => expectType(json, ListTaskPushNotificationConfigsResponse),
  DeleteTaskPushNotificationConfig: (json) => expect(json ?? {}).toEqual({}),
  GetExtendedAgentCard: expectCard,
};

/** The result is of exactly the type that A2A 1.0 gives the operation: nothing foreign, nothing required missing. */
export function expectResult10(operation: string, json: unknown): void {
  const check = RESULTS[operation];
  if (check === undefined) throw new Error(`${operation} is no operation of A2A 1.0`);
  check(json);
}

export function expectCard(json: unknown): void {
  expectType(json, AgentCard);
}

/** Whatever is unknown to the type, or spelled in another way, does not survive the round trip. */
function expectType<T>(json: unknown, type: WireType<T>): void {
  expect(withoutDefaults(type.toJSON(type.fromJSON(json)))).toEqual(withoutDefaults(json));
}

const MEMBERS: Readonly<Record<string, (json: unknown) => void>> = {
  task: expectTask,
  message: expectMessage,
  statusUpdate: (json) => {
    expectType(json, TaskStatusUpdateEvent);
    expectIds(json as Json, ['taskId', 'contextId']);
    expectStatus((json as Json).status);
  },
  artifactUpdate: (json) => {
    expectType(json, TaskArtifactUpdateEvent);
    expectIds(json as Json, ['taskId', 'contextId']);
    expectArtifact((json as Json).artifact);
  },
};

/** A wrapper with exactly one member. */
function expectUnion<T>(json: unknown, type: WireType<T>): void {
  expectType(json, type);
  const [name = '', ...others] = Object.keys(json as Json);
  expect(others).toEqual([]);
  MEMBERS[name]?.((json as Json)[name]);
}

function expectTask(json: unknown): void {
  expectType(json, Task);
  const { status, artifacts = [], history = [] } = json as Json;
  expectIds(json as Json, ['id', 'contextId']);
  expectStatus(status);
  for (const artifact of artifacts as unknown[]) expectArtifact(artifact);
  for (const message of history as unknown[]) expectMessage(message);
}

function expectTaskList(json: unknown): void {
  expectType(json, ListTasksResponse);
  const { tasks, ...page } = json as Json;
  expect(page).toEqual({
    nextPageToken: expect.any(String),
    pageSize: expect.any(Number),
    totalSize: expect.any(Number),
  });
  for (const task of tasks as unknown[]) expectTask(task);
}

/** Protocol buffers in UTC with `Z`; §5.6.1. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

function expectStatus(json: unknown): void {
  const { state, timestamp, message } = json as Json;
  expect(state).toMatch(/^TASK_STATE_[A-Z_]+$/);
  expect(timestamp).toMatch(TIMESTAMP);
  if (message !== undefined) expectMessage(message);
}

function expectMessage(json: unknown): void {
  expectType(json, Message);
  const { role, parts } = json as Json;
  expectIds(json as Json, ['messageId']);
  expect(role).toMatch(/^ROLE_(?:USER|AGENT)$/);
  expectParts(parts);
}

function expectArtifact(json: unknown): void {
  expectIds(json as Json, ['artifactId']);
  expectParts((json as Json).parts);
}

function expectParts(parts: unknown): void {
  expect(parts).not.toEqual([]);
  for (const part of parts as Json[]) {
    expect(['text', 'raw', 'url', 'data'].filter((member) => part[member] !== undefined)).toHaveLength(1);
  }
}

function expectIds(json: Json, names: readonly string[]): void {
  for (const name of names) expect(json[name], name).toMatch(/./);
}

/** Protocol buffers do not tell a default value from an absent one. */
function withoutDefaults(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withoutDefaults);
  if (typeof json !== 'object' || json === null) return json;
  const members = Object.entries(json)
    .map(([name, value]) => [name, withoutDefaults(value)] as const)
    .filter(([, value]) => !isDefault(value));
  return Object.fromEntries(members);
}

function isDefault(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === false || value === '' || value === 0 || value === undefined;
}
