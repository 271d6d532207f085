import type { JsonObject, JsonValue } from '@cleveragents/kernel';
import type {
  ListTaskPushNotificationConfigsResponse,
  ListTasksResponse,
  SendMessageResponse,
  StreamResponse,
} from '../a2a.js';
import { supersetOf } from '../card/superset-card.js';
import type { Operation } from '../dialect.js';
import { decodeRequest } from './decode-request.js';
import type { DialectCodec } from './dialect-codec.js';
import { eventIn03, pushConfigIn03, taskIn03 } from './encode-03.js';

type ResultEncoder = (result: JsonValue) => JsonValue;

const ENCODERS: Readonly<Record<Operation, ResultEncoder>> = {
  SendMessage: typed(sendResultIn03),
  SendStreamingMessage: typed(sendResultIn03),
  GetTask: typed(taskIn03),
  ListTasks: typed(taskListIn03),
  CancelTask: typed(taskIn03),
  SubscribeToTask: typed(sendResultIn03),
  CreateTaskPushNotificationConfig: typed(pushConfigIn03),
  GetTaskPushNotificationConfig: typed(pushConfigIn03),
  ListTaskPushNotificationConfigs: typed(({ configs }: ListTaskPushNotificationConfigsResponse) =>
    configs.map(pushConfigIn03),
  ),
  DeleteTaskPushNotificationConfig: () => null,
  GetExtendedAgentCard: typed(supersetOf),
};

/** A2A 0.3, which also covers 0.2: `kind` members, lower-case states, bare results. */
export const codec03: DialectCodec = {
  dialect: '0.3',
  isIdentity: false,
  decode: (operation: Operation, params: JsonObject, method: string = operation) =>
    decodeRequest(operation, params, { isZeroX: true, method }),
  encode: (operation: Operation, result: JsonValue) => ENCODERS[operation](result),
  event: eventIn03,
};

/** Results are written by this server in the 1.0 form of their operation; here that form gets its type back. */
function typed<T>(encode: (result: T) => JsonValue): ResultEncoder {
  return (result) => encode(result as T);
}

/** 1.0 wraps the task or message; 0.3 answers it bare, told apart by `kind`. */
function sendResultIn03(result: SendMessageResponse | StreamResponse): JsonObject {
  return eventIn03(result, false);
}

function taskListIn03(list: ListTasksResponse): JsonObject {
  return { ...list, tasks: list.tasks.map(taskIn03) };
}
