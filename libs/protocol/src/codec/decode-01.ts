import { isJsonObject, type JsonObject, type JsonValue } from '@cleveragents/kernel';
import type { Operation } from '../dialect.js';
import { DEFAULT_CONFIG_ID } from './decode-push-config.js';
import { decodeRequest, type RequestForm } from './decode-request.js';
import { assign, dropEmpty, either } from './fields.js';

/**
 * Params of 0.1 are put into the spelling of later generations and read like those. A send differs in that the client
 * chooses the task's id: unknown, it creates the task, known, it goes on with it, so that it is no `message.taskId`.
 * It stands in a member of its own beside those of 1.0, `clientTaskId`, which no other generation can set.
 */
export function decodeRequest01(operation: Operation, params: JsonObject, method: string): JsonObject {
  const form: RequestForm = { isZeroX: true, method };
  switch (operation) {
    case 'SendMessage':
    case 'SendStreamingMessage':
      return decodeSend(operation, params, form);
    case 'GetTask':
    case 'CancelTask':
    case 'SubscribeToTask':
      return decodeRequest(operation, { ...params, id: statedTaskId(params) }, form);
    default:
      return decodeRequest(operation, params, form);
  }
}

/** The client's own id of the task, for the answer: only a usable one, since the request itself is still unchecked. */
export function wireTaskIdIn01({ id, taskId }: JsonObject): string | undefined {
  const stated = id ?? taskId;
  return typeof stated === 'string' && stated !== '' ? stated : undefined;
}

/** 0.1 says `id`; some clients name the member as messages of later generations do. */
function statedTaskId(params: JsonObject): JsonValue | undefined {
  return either('id', params.id, params.taskId);
}

function decodeSend(operation: Operation, params: JsonObject, form: RequestForm): JsonObject {
  const later = { ...params, message: messageInSession(params), configuration: configurationOf(params) };
  const request = decodeRequest(operation, later, form);
  assign(request, 'clientTaskId', statedTaskId(params));
  dropEmpty(request, ['clientTaskId']);
  return request;
}

function messageInSession({ message, sessionId }: JsonObject): JsonValue | undefined {
  if (!isJsonObject(message)) return message;
  return { ...message, contextId: either('sessionId', sessionId, message.contextId) };
}

/** What 1.0 keeps in `configuration` stands beside the message in 0.1, where a send always waits for the task. */
function configurationOf(params: JsonObject): JsonValue | undefined {
  const { configuration = null, pushNotification } = params;
  if (configuration !== null && !isJsonObject(configuration)) return configuration;
  const later = { ...configuration };
  for (const name of ['acceptedOutputModes', 'historyLength']) {
    assign(later, name, either(name, params[name], later[name]));
  }
  assign(
    later,
    'pushNotificationConfig',
    either('pushNotification', theOnlyConfig(pushNotification), later.pushNotificationConfig),
  );
  return configuration === null && Object.keys(later).length === 0 ? undefined : later;
}

/** A task has one configuration in 0.1: setting it later replaces this one. */
function theOnlyConfig(config: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(config) ? { ...config, id: config.id ?? DEFAULT_CONFIG_ID } : config;
}
