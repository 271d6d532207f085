import { ConfigurationError, isJsonObject, newUlid, type JsonObject, type JsonValue } from '@cleveragents/kernel';
import type { Message, Part } from '@cleveragents/protocol';

/** How long a client may take to answer. */
export const CLIENT_REQUEST_LIFETIME_MS = 600_000;

/** Methods that the client's side carries out, and what the client must have announced that it can do. */
const NEEDED_CAPABILITY = {
  '_cleveragents/fs/read_text_file': ['fs', 'read'],
  '_cleveragents/fs/write_text_file': ['fs', 'write'],
  '_cleveragents/terminal/create': ['terminal'],
  '_cleveragents/terminal/output': ['terminal'],
  '_cleveragents/terminal/wait_for_exit': ['terminal'],
  '_cleveragents/terminal/kill': ['terminal'],
  '_cleveragents/terminal/release': ['terminal'],
} as const;

export type ClientMethod = keyof typeof NEEDED_CAPABILITY;

/** What an agent asks of the client's machine while its task is paused. */
export interface ClientRequest {
  readonly requestId: string;
  readonly method: string;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** The data part that carries a request to the client. */
export function clientRequestPart(method: ClientMethod, params: JsonObject, now: Date): Part {
  const expires_at = new Date(now.getTime() + CLIENT_REQUEST_LIFETIME_MS).toISOString();
  const data = { kind: 'client_request', request_id: newUlid(), method, params, expires_at };
  return { data, mediaType: 'application/json' };
}

/** Refuses at once what the client has not announced in the message (`metadata.clientCapabilities`). */
export function requireClientCapability(message: Message, method: ClientMethod): void {
  const path = NEEDED_CAPABILITY[method];
  let value: JsonValue | undefined = message.metadata?.clientCapabilities;
  for (const name of path) value = isJsonObject(value) ? value[name] : undefined;
  if (value === true) return;
  const key = `clientCapabilities.${path.join('.')}`;
  throw new ConfigurationError(`The client has not announced ${key}`, { key }, { reason: 'CLIENT_CAPABILITY_MISSING' });
}

/** Requests in the messages of an agent, oldest first. */
export function clientRequestsIn(messages: readonly Message[]): ClientRequest[] {
  const parts = messages.filter(({ role }) => role === 'ROLE_AGENT').flatMap((message) => message.parts);
  return parts.flatMap(({ data }) => {
    if (!isJsonObject(data) || data.kind !== 'client_request') return [];
    const { request_id: requestId, method, expires_at: expiresAt } = data;
    const isWhole = typeof requestId === 'string' && typeof method === 'string' && typeof expiresAt === 'string';
    return isWhole ? [{ requestId, method, expiresAt }] : [];
  });
}
