import type { JsonObject, JsonValue } from '@cleveragents/kernel';
import type {
  ListTaskPushNotificationConfigsResponse,
  ListTasksResponse,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from '../a2a.js';
import type { AgentCard } from '../card/agent-card.js';
import { supersetOf } from '../card/superset-card.js';
import type { Operation } from '../dialect.js';
import { decodeRequest } from './decode-request.js';
import type { DialectCodec } from './dialect-codec.js';
import { eventIn03, pushConfigIn03, taskIn03 } from './encode-03.js';

/** The 1.0 result of each operation. */
interface Results extends Record<Operation, unknown> {
  SendMessage: SendMessageResponse;
  SendStreamingMessage: StreamResponse;
  GetTask: Task;
  ListTasks: ListTasksResponse;
  CancelTask: Task;
  SubscribeToTask: StreamResponse;
  CreateTaskPushNotificationConfig: TaskPushNotificationConfig;
  GetTaskPushNotificationConfig: TaskPushNotificationConfig;
  ListTaskPushNotificationConfigs: ListTaskPushNotificationConfigsResponse;
  DeleteTaskPushNotificationConfig: unknown;
  GetExtendedAgentCard: AgentCard;
}

const ENCODERS: { readonly [O in Operation]: (result: Results[O]) => JsonValue } = {
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

/** A2A 0.3, which also covers 0.2: `kind` members, lower-case states, bare results. */
export const codec03: DialectCodec = {
  dialect: '0.3',
  isIdentity: false,
  decode: (operation: Operation, params: JsonObject, method: string = operation) =>
    decodeRequest(operation, params, { isZeroX: true, method }),
  // Results are written by this server in the 1.0 form of their operation; here that form gets its type back.
  encode: (operation: Operation, result: JsonValue) => (ENCODERS[operation] as (result: unknown) => JsonValue)(result),
  event: eventIn03,
};

/** 1.0 wraps the task or message; 0.3 answers it bare, told apart by `kind`. */
function bareIn03(result: SendMessageResponse | StreamResponse): JsonObject {
  return eventIn03(result, false);
}

function taskListIn03(list: ListTasksResponse): JsonObject {
  return { ...list, tasks: list.tasks.map(taskIn03) };
}
