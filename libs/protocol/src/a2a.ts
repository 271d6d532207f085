import type { JsonObject, JsonValue } from '@cleveragents/kernel';

/**
 * The one form in which the platform speaks A2A inside: the JSON of A2A 1.0 (specification §4, §5.5), with states and
 * roles spelled as 1.0 spells them. Other generations exist only in the dialect codecs.
 */

export const TASK_STATES = [
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_AUTH_REQUIRED',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
] as const;
export type TaskState = (typeof TASK_STATES)[number];

export type MessageRole = 'ROLE_USER' | 'ROLE_AGENT';

/** Exactly one of `text`, `raw` (base64), `url`, `data`. */
export interface Part {
  text?: string;
  raw?: string;
  url?: string;
  data?: JsonValue;
  filename?: string;
  mediaType?: string;
  metadata?: JsonObject;
}

export interface Message {
  messageId: string;
  role: MessageRole;
  parts: Part[];
  contextId?: string;
  taskId?: string;
  referenceTaskIds?: string[];
  extensions?: string[];
  metadata?: JsonObject;
}

export interface Artifact {
  artifactId: string;
  name?: string;
  description?: string;
  parts: Part[];
  metadata?: JsonObject;
  extensions?: string[];
}

export interface TaskStatus {
  state: TaskState;
  /** RFC 3339 UTC with milliseconds. */
  timestamp: string;
  message?: Message;
}

export interface Task {
  id: string;
  contextId: string;
  status: TaskStatus;
  artifacts?: Artifact[];
  history?: Message[];
  metadata?: JsonObject;
}

export interface TaskStatusUpdate {
  taskId: string;
  contextId: string;
  status: TaskStatus;
  metadata?: JsonObject;
}

export interface TaskArtifactUpdate {
  taskId: string;
  contextId: string;
  artifact: Artifact;
  append?: boolean;
  lastChunk?: boolean;
  metadata?: JsonObject;
}

/** One element of a stream: exactly one member is present. */
export interface StreamResponse {
  task?: Task;
  message?: Message;
  statusUpdate?: TaskStatusUpdate;
  artifactUpdate?: TaskArtifactUpdate;
}

/** Result of SendMessage: exactly one member is present. */
export interface SendMessageResponse {
  task?: Task;
  message?: Message;
}

export interface PushNotificationConfig {
  id?: string;
  url: string;
  token?: string;
  authentication?: { scheme: string; credentials?: string };
}

export interface TaskPushNotificationConfig extends PushNotificationConfig {
  taskId: string;
  /** Not of A2A: said in answers when something is wrong, in every dialect. */
  delivery?: PushDelivery;
}

/** How it goes with a webhook whose newest calls have failed. */
export interface PushDelivery {
  /** `disabled`: it is not called any more. */
  state: 'active' | 'disabled';
  /** Of the newest failure: TIMED_OUT, HTTP_500, … */
  reason: string;
  /** In a row. */
  failures: number;
}

export interface ListTaskPushNotificationConfigsResponse {
  configs: TaskPushNotificationConfig[];
  nextPageToken: string;
}

export interface ListTasksResponse {
  tasks: Task[];
  nextPageToken: string;
  pageSize: number;
  totalSize: number;
}

const TERMINAL: ReadonlySet<TaskState> = new Set<TaskState>([
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
]);

export function isTerminal(state: TaskState): boolean {
  return TERMINAL.has(state);
}

/** The agent waits for the client: the task rests but is not over. */
export function isInterrupted(state: TaskState): boolean {
  return state === 'TASK_STATE_INPUT_REQUIRED' || state === 'TASK_STATE_AUTH_REQUIRED';
}
