import { isJsonObject, type JsonObject } from '@cleveragents/kernel';
import { InvalidRequestError } from './protocol-errors.js';

/** A well-formed JSON-RPC 2.0 request or notification. */
export interface Envelope {
  /** The id as JSON text, ready for the answer; null = a notification. */
  readonly idText: string | null;
  readonly method: string;
  /** Not yet looked at. */
  readonly params: unknown;
}

/** The shape is wrong; `idText` is the id to answer with: the caller's where it is legal, else null. */
export interface MalformedEnvelope {
  readonly idText: string;
  readonly error: InvalidRequestError;
}

/** Field names of the protocol's predecessor, and what replaced them. */
const RENAMED_FIELDS: Readonly<Record<string, string>> = {
  a2a_version: 'jsonrpc',
  request_id: 'id',
  operation: 'method',
  payload: 'params',
};

export function readEnvelope(body: unknown): Envelope | MalformedEnvelope {
  if (!isJsonObject(body)) return malformed('null', 'a request is an object');
  const hasId = Object.hasOwn(body, 'id');
  const idText = hasId ? idTextOf(body.id) : null;
  if (hasId && idText === null) return malformed('null', 'id must be a string, an integer or null', body);
  if (body.jsonrpc !== '2.0') return malformed(idText ?? 'null', 'jsonrpc must be "2.0"', body);
  if (typeof body.method !== 'string') return malformed(idText ?? 'null', 'method must be a string', body);
  return { idText, method: body.method, params: body.params };
}

/** Integers beyond 2^53 - 1 lose digits when parsed and could not be echoed exactly. */
function idTextOf(id: unknown): string | null {
  if (typeof id === 'string') return JSON.stringify(id);
  if (id === null) return 'null';
  return typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : null;
}

function malformed(idText: string, problem: string, body: JsonObject = {}): MalformedEnvelope {
  const renamed = Object.keys(RENAMED_FIELDS).filter((name) => Object.hasOwn(body, name));
  const hint = renamed.map((name) => `${name} is now ${RENAMED_FIELDS[name]}`).join(', ');
  return { idText, error: new InvalidRequestError(problem, hint === '' ? undefined : hint) };
}
