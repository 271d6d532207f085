import type { JsonObject, JsonValue } from '@cleveragents/kernel';
import type { ListTasksResponse, SendMessageResponse, StreamResponse } from '../a2a.js';
import { supersetOf } from '../card/superset-card.js';
import type { Operation } from '../dialect.js';
import { decodeRequest } from './decode-request.js';
import type { DialectCodec, StreamEncoder } from './dialect-codec.js';
import { eventIn03, pushConfigIn03, taskIn03 } from './encode-03.js';
import { encodeResult, type ResultEncoders } from './operation-results.js';

const ENCODERS: ResultEncoders = {
  SendMessage: bareIn03,
  SendStreamingMessage: bareIn03,
  GetTask: taskIn03,
  ListTasks: taskListIn03,
  CancelTask: taskIn03,
  SubscribeToTask: bareIn03,
  CreateTaskPushNotificationConfig: pushConfigIn03,
  GetTaskPushNotificationConfig: pushConfigIn03,
  ListTaskPushNotificationConfigs: ({ configs }) => configs.map(pushConfigIn03),
  DeleteTaskPushNotificationConfig: () => null,
  GetExtendedAgentCard: supersetOf,
};

const STREAM_ENCODER: StreamEncoder = { encode: (event, closesStream) => [eventIn03(event, closesStream)] };

/** A2A 0.3, which also covers 0.2: `kind` members, lower-case states, bare results. */
export const codec03: DialectCodec = {
  dialect: '0.3',
  isIdentity: false,
  decode: (operation: Operation, params: JsonObject, method: string = operation) =>
    decodeRequest(operation, params, { isZeroX: true, method }),
  wireTaskId: () => undefined,
  encode: (operation: Operation, result: JsonValue) => encodeResult(ENCODERS, operation, result),
  streamEncoder: () => STREAM_ENCODER,
};

/** 1.0 wraps the task or message; 0.3 answers it bare, told apart by `kind`. */
function bareIn03(result: SendMessageResponse | StreamResponse): JsonObject {
  return eventIn03(result, false);
}

function taskListIn03(list: ListTasksResponse): JsonObject {
  return { ...list, tasks: list.tasks.map(taskIn03) };
}
