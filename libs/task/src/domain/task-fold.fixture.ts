import type { Origin } from '@cleveragents/kernel';
import type { Artifact, Message } from '@cleveragents/protocol';
import type { TaskChange } from '../task-journal.js';
import { TaskFold, type TaskDelta, type TaskIdentity } from './task-fold.js';

export const AT = '2026-01-02T03:04:05.678Z';

export const ORIGIN: Origin = { userIdentity: 'ada', tokenId: null, method: 'message/send', correlationId: 'c-1' };

export const IDENTITY: TaskIdentity = {
  id: '0123abcd-0000-8000-8000-000000000001',
  contextId: 'context-1',
  namespace: 'local',
  owner: 'ada',
  executor: 'scripted',
  dialect: '1.0',
  metadata: null,
  requestHash: null,
  createdAt: AT,
};

export function message(messageId: string, text = messageId): Message {
  return { messageId, role: 'ROLE_USER', parts: [{ text }] };
}

export function artifact(artifactId: string, ...texts: string[]): Artifact {
  return { artifactId, name: `name of ${artifactId}`, parts: texts.map((text) => ({ text })) };
}

export function chunk(artifactId: string, text: string, append = true, lastChunk = false): TaskChange {
  return { kind: 'artifact', artifact: artifact(artifactId, text), append, lastChunk };
}

export function newFold(identity: Partial<TaskIdentity> = {}, messages = [message('m-1')]): TaskFold {
  return TaskFold.create({ ...IDENTITY, ...identity }, messages, ORIGIN);
}

export function apply(fold: TaskFold, ...changes: TaskChange[]): TaskFold {
  for (const change of changes) fold.apply(change, AT, ORIGIN);
  return fold;
}

export const WORKING: TaskChange = { kind: 'status', state: 'TASK_STATE_WORKING' };
export const COMPLETED: TaskChange = { kind: 'status', state: 'TASK_STATE_COMPLETED' };
export const INPUT_REQUIRED: TaskChange = { kind: 'status', state: 'TASK_STATE_INPUT_REQUIRED' };

export function delta(...changes: TaskChange[]): TaskDelta {
  return apply(newFold(), ...changes).takeDelta();
}
