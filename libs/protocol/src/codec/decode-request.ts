import { isJsonObject, type JsonObject, type JsonValue } from '@cleveragents/kernel';
import type { Operation } from '../dialect.js';
import { decodeMessage } from './decode-message.js';
import {
  decodeInlinePushConfig,
  decodePushConfigKey,
  decodePushConfigList,
  decodePushConfigRequest,
} from './decode-push-config.js';
import { assign, dropEmpty, either, pick } from './fields.js';
import { STATE_FROM_0X } from './spelling.js';

export interface RequestForm {
  readonly isZeroX: boolean;
  /** Method name as the caller wrote it. */
  readonly method: string;
}

type RequestDecoder = (params: JsonObject, form: RequestForm) => JsonObject;

const DECODERS: Readonly<Record<Operation, RequestDecoder>> = {
  SendMessage: decodeSend,
  SendStreamingMessage: decodeSend,
  GetTask: (params) => pick(params, ['tenant', 'id', 'historyLength']),
  ListTasks: decodeList,
  CancelTask: (params) => pick(params, ['tenant', 'id', 'metadata']),
  // metadata is no field of 1.0 here; it carries the replay cursor of clients that cannot set a header.
  SubscribeToTask: (params) => pick(params, ['tenant', 'id', 'metadata']),
  CreateTaskPushNotificationConfig: (params, form) => decodePushConfigRequest(params, form.method.endsWith('/set')),
  GetTaskPushNotificationConfig: (params, form) =>
    decodePushConfigKey(params, { isLoneIdTask: form.isZeroX, meansDefault: form.isZeroX }),
  ListTaskPushNotificationConfigs: decodePushConfigList,
  DeleteTaskPushNotificationConfig: (params, form) =>
    decodePushConfigKey(params, { isLoneIdTask: form.isZeroX, meansDefault: false }),
  GetExtendedAgentCard: (params) => pick(params, ['tenant']),
};

/** The params of any generation as the 1.0 request of the operation. */
export function decodeRequest(operation: Operation, params: JsonObject, form: RequestForm): JsonObject {
  const request = DECODERS[operation](params, form);
  dropEmpty(request, ['tenant', 'contextId', 'pageToken']);
  return request;
}

function decodeSend(params: JsonObject): JsonObject {
  const request = pick(params, ['tenant', 'metadata']);
  assign(request, 'message', decodeMessage(params.message));
  assign(request, 'configuration', decodeConfiguration(params.configuration));
  return request;
}

function decodeConfiguration(configuration: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(configuration)) return configuration;
  const decoded = pick(configuration, ['acceptedOutputModes', 'historyLength']);
  assign(decoded, 'returnImmediately', returnImmediately(configuration.blocking, configuration.returnImmediately));
  const pushConfig = either(
    'configuration.taskPushNotificationConfig',
    decodeInlinePushConfig(configuration.taskPushNotificationConfig),
    decodeInlinePushConfig(configuration.pushNotificationConfig),
  );
  assign(decoded, 'taskPushNotificationConfig', pushConfig);
  return decoded;
}

/** 0.x `blocking` is the opposite of 1.0 `returnImmediately`. */
function returnImmediately(blocking: JsonValue | undefined, stated: JsonValue | undefined): JsonValue | undefined {
  const inverse = typeof blocking === 'boolean' ? !blocking : blocking;
  return either('configuration.blocking', stated, inverse);
}

/** metadata is no field of 1.0 here; it names the namespace for clients that have no other place for it. */
const LIST_FIELDS = [
  'contextId',
  'metadata',
  'pageSize',
  'pageToken',
  'historyLength',
  'statusTimestampAfter',
  'includeArtifacts',
] as const;

function decodeList(params: JsonObject): JsonObject {
  const request = pick(params, LIST_FIELDS);
  assign(request, 'tenant', either('tenant', params.tenant, params.namespace));
  const { status } = params;
  // The zero of the enumeration is its unset form.
  if (status === 'TASK_STATE_UNSPECIFIED') return request;
  assign(request, 'status', typeof status === 'string' ? (STATE_FROM_0X.get(status) ?? status) : status);
  return request;
}
