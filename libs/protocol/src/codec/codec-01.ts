import type { JsonObject, JsonValue } from '@cleveragents/kernel';
import type { SendMessageResponse } from '../a2a.js';
import { supersetOf } from '../card/superset-card.js';
import type { Operation } from '../dialect.js';
import { decodeRequest01, wireTaskIdIn01 } from './decode-01.js';
import type { DialectCodec } from './dialect-codec.js';
import { eventIn01, pushConfigIn01, taskIn01, taskOfMessageIn01 } from './encode-01.js';
import { encodeResult, type ResultEncoders } from './operation-results.js';
import { StreamEncoder01 } from './stream-encoder-01.js';

const ENCODERS: ResultEncoders = {
  SendMessage: answerIn01,
  SendStreamingMessage: (event, wireTaskId) => eventIn01(event, false, wireTaskId),
  GetTask: taskIn01,
  // Not an operation of 0.1: under the reference's name its tasks have the shape that a 0.1 client knows.
  ListTasks: (list) => ({ ...list, tasks: list.tasks.map((task) => taskIn01(task)) }),
  CancelTask: taskIn01,
  SubscribeToTask: (event, wireTaskId) => eventIn01(event, false, wireTaskId),
  CreateTaskPushNotificationConfig: pushConfigIn01,
  GetTaskPushNotificationConfig: pushConfigIn01,
  ListTaskPushNotificationConfigs: ({ configs }, wireTaskId) =>
    configs.map((config) => pushConfigIn01(config, wireTaskId)),
  DeleteTaskPushNotificationConfig: () => null,
  GetExtendedAgentCard: supersetOf,
};

/**
 * A2A 0.1: `type` parts, sessions, tasks named by their client, artifacts by index, messages without an id
 * (`withMessageId` gives them one). What 0.1 cannot say stays behind: ids of messages and artifacts, extensions, and
 * the two states that `STATE_IN_01` replaces.
 */
export const codec01: DialectCodec = {
  dialect: '0.1',
  isIdentity: false,
  decode: (operation: Operation, params: JsonObject, method: string = operation) =>
    decodeRequest01(operation, params, method),
  wireTaskId: wireTaskIdIn01,
  encode: (operation: Operation, result: JsonValue, wireTaskId?: string) =>
    encodeResult(ENCODERS, operation, result, wireTaskId),
  streamEncoder: (wireTaskId?: string) => new StreamEncoder01(wireTaskId),
};

function answerIn01({ task, message }: SendMessageResponse, wireTaskId?: string): JsonObject {
  if (task !== undefined) return taskIn01(task, wireTaskId);
  if (message !== undefined) return taskOfMessageIn01(message, wireTaskId);
  throw new TypeError('An answer without content');
}
