import type { JsonValue } from '@cleveragents/kernel';
import type {
  ListTaskPushNotificationConfigsResponse,
  ListTasksResponse,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from '../a2a.js';
import type { AgentCard } from '../card/agent-card.js';
import type { Operation } from '../dialect.js';

/** The 1.0 result of each operation. */
interface OperationResults extends Record<Operation, unknown> {
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

export type ResultEncoders = {
  readonly [O in Operation]: (result: OperationResults[O], wireTaskId: string | undefined) => JsonValue;
};

/** Results are written by this server in the 1.0 form of their operation; here that form gets its type back. */
export function encodeResult(
  encoders: ResultEncoders,
  operation: Operation,
  result: JsonValue,
  wireTaskId?: string,
): JsonValue {
  const encode = encoders[operation] as (result: unknown, wireTaskId: string | undefined) => JsonValue;
  return encode(result, wireTaskId);
}
