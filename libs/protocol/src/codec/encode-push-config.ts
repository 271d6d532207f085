import type { JsonObject } from '@cleveragents/kernel';
import type { TaskPushNotificationConfig } from '../a2a.js';

/** 0.x lists the schemes of which 1.0 names one. */
export function pushConfigIn0X(config: TaskPushNotificationConfig): JsonObject {
  const { id, url, token, authentication, delivery } = config;
  return {
    id,
    url,
    token,
    authentication: authentication && {
      schemes: [authentication.scheme],
      credentials: authentication.credentials,
    },
    delivery: delivery && { ...delivery },
  };
}
