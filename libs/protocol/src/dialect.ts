/** Generations of A2A that the server speaks, oldest first: what a refused caller is told to choose from. 0.3 covers 0.2. */
export const SUPPORTED_DIALECTS = ['0.1', '0.3', '1.0'] as const;
export type Dialect = (typeof SUPPORTED_DIALECTS)[number];

/** Canonical ids of the standard operations: the JSON-RPC method names of A2A 1.0 (specification §9.4). */
export const OPERATIONS = [
  'SendMessage',
  'SendStreamingMessage',
  'GetTask',
  'ListTasks',
  'CancelTask',
  'SubscribeToTask',
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
  'GetExtendedAgentCard',
] as const;
export type Operation = (typeof OPERATIONS)[number];
