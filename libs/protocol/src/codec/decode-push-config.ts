import { isJsonObject, type JsonObject, type JsonValue } from '@cleveragents/kernel';
import { assign, dropEmpty, either, isSet, pick } from './fields.js';

/** Name of the one configuration that 0.x clients address without an id. */
export const DEFAULT_CONFIG_ID = 'default';

/**
 * 0.x nests the configuration beside its task id; 1.0 is flat.
 * `setsDefault`: without an id it is the configuration named `default`; otherwise it gets a new id.
 */
export function decodePushConfigRequest(params: JsonObject, setsDefault: boolean): JsonObject {
  const nested = params.pushNotificationConfig;
  const request = pick(params, ['tenant', 'taskId']);
  if (!isSet(nested)) Object.assign(request, decodeFlat(params));
  if (isJsonObject(nested)) {
    // 0.1 names the task by a plain `id`.
    assign(request, 'taskId', either('taskId', params.taskId, params.id));
    Object.assign(request, decodeFlat(nested));
  }
  if (setsDefault) request.id ??= DEFAULT_CONFIG_ID;
  return request;
}

/** The configuration inside a send: it has no task id yet. An ill-typed one is left for validation to refuse. */
export function decodeInlinePushConfig(config: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(config) ? decodeFlat(config) : config;
}

/** Where the key of one configuration is found; the form in force where the params alone do not tell. */
export interface PushKeyRules {
  /** A lone `id` is the task's (0.x), not the configuration's (1.0). */
  readonly isLoneIdTask: boolean;
  /** Without an id of its own it is the configuration named `default`. */
  readonly meansDefault: boolean;
}

export function decodePushConfigKey(params: JsonObject, rules: PushKeyRules): JsonObject {
  const request = pick(params, ['tenant']);
  const configId = params.pushNotificationConfigId;
  if (isSet(configId) || (rules.isLoneIdTask && !isSet(params.taskId))) {
    assign(request, 'taskId', either('taskId', params.taskId, params.id));
    assign(request, 'id', configId);
  } else {
    Object.assign(request, pick(params, ['taskId', 'id']));
  }
  if (rules.meansDefault) request.id ??= DEFAULT_CONFIG_ID;
  return request;
}

export function decodePushConfigList(params: JsonObject): JsonObject {
  const request = pick(params, ['tenant', 'taskId', 'pageSize', 'pageToken']);
  assign(request, 'taskId', either('taskId', params.taskId, params.id));
  return request;
}

function decodeFlat(config: JsonObject): JsonObject {
  const decoded = pick(config, ['id', 'url', 'token', 'authentication']);
  dropEmpty(decoded, ['id', 'token']);
  const { authentication } = decoded;
  if (isJsonObject(authentication)) decoded.authentication = decodeAuthentication(authentication);
  return decoded;
}

/** 0.x lists schemes, of which only the first can be used; 1.0 names one. */
function decodeAuthentication(authentication: JsonObject): JsonObject {
  const decoded = pick(authentication, ['scheme', 'credentials']);
  const { schemes } = authentication;
  const first = Array.isArray(schemes) ? schemes[0] : schemes;
  assign(decoded, 'scheme', either('authentication.scheme', authentication.scheme, first));
  return decoded;
}
