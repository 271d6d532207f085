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
import { partIn0X } from './encode-part.js';
import { pushConfigIn0X } from './encode-push-config.js';
import { ROLE_IN_0X, STATE_IN_0X } from './spelling.js';

/* Absent members are undefined here and vanish in the JSON text. */

export function taskIn03(task: Task): JsonObject {
  return {
    kind: 'task',
    id: task.id,
    contextId: task.contextId,
    status: statusIn03(task.status),
    artifacts: task.artifacts?.map(artifactIn03),
    history: task.history?.map(messageIn03),
    metadata: task.metadata,
  };
}

export function messageIn03(message: Message): JsonObject {
  return {
    kind: 'message',
    messageId: message.messageId,
    role: ROLE_IN_0X[message.role],
    parts: message.parts.map((part) => partIn0X(part, 'kind')),
    contextId: message.contextId,
    taskId: message.taskId,
    referenceTaskIds: message.referenceTaskIds,
    extensions: message.extensions,
    metadata: message.metadata,
  };
}

/** `closesStream` marks the last status of a stream that ends before the task does (input-required). */
export function eventIn03(event: StreamResponse, closesStream: boolean): JsonObject {
  if (event.statusUpdate !== undefined) return statusUpdateIn03(event.statusUpdate, closesStream);
  if (event.artifactUpdate !== undefined) return artifactUpdateIn03(event.artifactUpdate);
  if (event.task !== undefined) return taskIn03(event.task);
  if (event.message !== undefined) return messageIn03(event.message);
  throw new TypeError('A stream element without content');
}

export function pushConfigIn03(config: TaskPushNotificationConfig): JsonObject {
  return { taskId: config.taskId, pushNotificationConfig: pushConfigIn0X(config) };
}

function statusUpdateIn03(update: TaskStatusUpdate, closesStream: boolean): JsonObject {
  return {
    kind: 'status-update',
    taskId: update.taskId,
    contextId: update.contextId,
    status: statusIn03(update.status),
    final: closesStream || isTerminal(update.status.state),
    metadata: update.metadata,
  };
}

function artifactUpdateIn03(update: TaskArtifactUpdate): JsonObject {
  return {
    kind: 'artifact-update',
    taskId: update.taskId,
    contextId: update.contextId,
    artifact: artifactIn03(update.artifact),
    append: update.append,
    lastChunk: update.lastChunk,
    metadata: update.metadata,
  };
}

function statusIn03(status: TaskStatus): JsonObject {
  return {
    state: STATE_IN_0X[status.state],
    timestamp: status.timestamp,
    message: status.message && messageIn03(status.message),
  };
}

function artifactIn03(artifact: Artifact): JsonObject {
  return {
    artifactId: artifact.artifactId,
    name: artifact.name,
    description: artifact.description,
    parts: artifact.parts.map((part) => partIn0X(part, 'kind')),
    metadata: artifact.metadata,
    extensions: artifact.extensions,
  };
}
