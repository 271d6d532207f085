/** What this server promises to offer: it does not start without one of them. Grows with the modules. */
export const REQUIRED_METHODS: readonly string[] = [
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
  'rpc.discover',
  '_cleveragents/health/check',
  ...['use', 'execute', 'status', 'tree', 'diff', 'artifacts', 'apply', 'correct', 'rollback', 'cancel', 'list'].map(
    (verb) => `_cleveragents/plan/${verb}`,
  ),
  ...['resource', 'project', 'actor', 'action'].flatMap((kind) =>
    ['add', 'show', 'list'].map((verb) => `_cleveragents/registry/${kind}/${verb}`),
  ),
];
