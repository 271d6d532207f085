import { isJsonObject, type JsonObject } from '@cleveragents/kernel';
import type { Caller } from '@cleveragents/jsonrpc';

/** By what an object is meant as a request and not as params; the last four are the predecessor's and get their hint. */
const REQUEST_MEMBERS = ['jsonrpc', 'method', 'a2a_version', 'request_id', 'operation', 'payload'] as const;

const STREAM_METHODS = {
  '0.1': { send: 'tasks/sendSubscribe', subscribe: 'tasks/resubscribe' },
  '0.3': { send: 'message/stream', subscribe: 'tasks/resubscribe' },
  '1.0': { send: 'SendStreamingMessage', subscribe: 'SubscribeToTask' },
} as const;

type StatedVersion = Pick<Caller, 'versionHeader' | 'versionQuery'>;

/**
 * The body of `POST /a2a/stream` as a JSON-RPC request: it is one, or only the params of one. Params with a message
 * send it, any other name a task to follow; the generation is the stated one, or the oldest.
 */
export function streamingRequest(body: unknown, stated: StatedVersion): unknown {
  if (!isJsonObject(body) || REQUEST_MEMBERS.some((member) => Object.hasOwn(body, member))) return body;
  return { jsonrpc: '2.0', id: null, method: methodFor(body, stated), params: body };
}

function methodFor(params: JsonObject, { versionHeader, versionQuery }: StatedVersion): string {
  const version = (versionHeader?.trim() || versionQuery?.trim()) ?? '';
  const { send, subscribe } = STREAM_METHODS[generationOf(version)];
  return Object.hasOwn(params, 'message') || !Object.hasOwn(params, 'id') ? send : subscribe;
}

/** A version that does not exist is refused under any name. */
function generationOf(version: string): keyof typeof STREAM_METHODS {
  if (version.startsWith('1.')) return '1.0';
  return /^0\.[23]/.test(version) ? '0.3' : '0.1';
}
