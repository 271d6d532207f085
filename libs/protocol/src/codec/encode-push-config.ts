import type { JsonObject } from '@cleveragents/kernel';
import type { PushNotificationConfig } from '../a2a.js';

/** 0.x lists the schemes of which 1.0 names one. */
export function pushConfigIn0X({ id, url, token, authentication }: PushNotificationConfig): JsonObject {
  return {
    id,
    url,
    token,
    authentication: authentication && {
      schemes: [authentication.scheme],
      credentials: authentication.credentials,
    },
  };
}
