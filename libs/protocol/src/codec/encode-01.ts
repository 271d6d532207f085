import type { JsonObject } from '@cleveragents/kernel';
import {
  isTerminal,
  type Artifact,
  type Message,
  type StreamResponse,
  type Task,
  type TaskArtifactUpdate,
  type TaskPushNotificationConfig,
  type TaskStatus,
  type TaskStatusUpdate,
} from '../a2a.js';
import { DEFAULT_CONFIG_ID } from './decode-push-config.js';
import { partIn0X } from './encode-part.js';
import { pushConfigIn0X } from './encode-push-config.js';
import { ROLE_IN_0X, STATE_IN_01 } from './spelling.js';

/* Absent members are undefined here and vanish in the JSON text. `wireTaskId`: the caller's own id of the task. */

/** Where an artifact, which has no id in 0.1, belongs. */
export interface ArtifactPlace {
  /** Its position in the task. */
  readonly index: number;
  readonly append?: boolean | undefined;
  readonly lastChunk?: boolean | undefined;
}

export function taskIn01(task: Task, wireTaskId: string = task.id): JsonObject {
  return {
    id: wireTaskId,
    sessionId: task.contextId,
    status: statusIn01(task.status),
    artifacts: task.artifacts?.map((artifact, index) => artifactIn01(artifact, { index })),
    history: task.history?.map(messageIn01),
    metadata: task.metadata,
  };
}

/**
 * 0.1 has no answer but a task: a direct message is one that is over and that nothing else knows of. Under the caller's
 * own id, the next message starts the task itself.
 */
export function taskOfMessageIn01(message: Message, wireTaskId?: string): JsonObject {
  return {
    id: wireTaskId ?? message.taskId ?? message.messageId,
    sessionId: message.contextId,
    status: { state: STATE_IN_01.TASK_STATE_COMPLETED, message: messageIn01(message) },
  };
}

/** An event as one update, a Task by its status alone. `place`: where the artifact of an artifact update belongs. */
export function eventIn01(
  { task, message, statusUpdate, artifactUpdate }: StreamResponse,
  closesStream: boolean,
  wireTaskId?: string,
  place: ArtifactPlace = { index: 0 },
): JsonObject {
  if (statusUpdate !== undefined) return statusEventIn01(statusUpdate, closesStream, wireTaskId);
  if (artifactUpdate !== undefined) return artifactEventIn01(artifactUpdate, place, wireTaskId);
  if (task !== undefined) return statusEventIn01({ ...task, taskId: task.id }, closesStream, wireTaskId);
  if (message === undefined) throw new TypeError('A stream element without content');
  const { id, status } = taskOfMessageIn01(message, wireTaskId);
  return { id, status, final: true };
}

/** A task has one configuration in 0.1, which needs no id; another one, made in a later generation, keeps its id. */
export function pushConfigIn01(config: TaskPushNotificationConfig, wireTaskId: string = config.taskId): JsonObject {
  const id = config.id === DEFAULT_CONFIG_ID ? undefined : config.id;
  return { id: wireTaskId, pushNotificationConfig: { ...pushConfigIn0X(config), id } };
}

function statusEventIn01(
  { taskId, status, metadata }: TaskStatusUpdate,
  closesStream: boolean,
  wireTaskId: string = taskId,
): JsonObject {
  return {
    id: wireTaskId,
    status: statusIn01(status),
    final: closesStream || isTerminal(status.state),
    metadata,
  };
}

function artifactEventIn01(
  { taskId, artifact, metadata }: TaskArtifactUpdate,
  place: ArtifactPlace,
  wireTaskId: string = taskId,
): JsonObject {
  return { id: wireTaskId, artifact: artifactIn01(artifact, place), metadata };
}

function statusIn01({ state, timestamp, message }: TaskStatus): JsonObject {
  return { state: STATE_IN_01[state], timestamp, message: message && messageIn01(message) };
}

function artifactIn01({ name, description, parts, metadata }: Artifact, place: ArtifactPlace): JsonObject {
  const { index, append, lastChunk } = place;
  return { name, description, parts: parts.map((part) => partIn0X(part, 'type')), index, append, lastChunk, metadata };
}

function messageIn01({ role, parts, metadata }: Message): JsonObject {
  return { role: ROLE_IN_0X[role], parts: parts.map((part) => partIn0X(part, 'type')), metadata };
}
