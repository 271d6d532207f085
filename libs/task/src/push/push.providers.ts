import { APP_CONFIG } from '@cleveragents/config';
import { InlinePush } from './inline-push.js';
import { PushConfigRepository } from './push-config.repository.js';
import { PushConfigService } from './push-config.service.js';
import { PushDeliverer } from './push-deliverer.js';
import { PushFailures } from './push-failures.js';
import { PushKeys } from './push-keys.js';
import { PushPayloads } from './push-payloads.js';
import { PushQueue } from './push-queue.repository.js';
import { PushRekeying } from './push-rekeying.js';
import { PushRpc } from './push.rpc.js';
import { PushSecretsRepository } from './push-secrets.repository.js';
import { PushSender } from './push-sender.js';
import { PushSigner } from './push-signer.js';
import { PushWatch } from './push-watch.js';
import { SecretBox } from './secret-box.js';

/** Push notifications, as part of the task module: messages bring webhooks along, and commits make them due. */
export const PUSH_PROVIDERS = [
  { provide: PushKeys, useFactory: PushKeys.open, inject: [APP_CONFIG] },
  InlinePush,
  PushConfigRepository,
  PushConfigService,
  PushDeliverer,
  PushFailures,
  PushPayloads,
  PushQueue,
  PushRekeying,
  PushRpc,
  PushSecretsRepository,
  PushSender,
  PushSigner,
  PushWatch,
  SecretBox,
];
