import { randomBytes } from 'node:crypto';
import { Connection } from './connection.mjs';

const HOST = '127.0.0.1';
const run = randomBytes(4).toString('hex');
let sent = 0;

/** Where a server answers A2A 1.0, and the requests to it as bytes. Always loopback. */
export class Endpoint {
  host = HOST;
  path = '/a2a';
  /** @type {string | null} */
  token = null;

  constructor(port) {
    this.port = port;
  }

  /** A whole HTTP request. */
  encode(method, params) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: sent, method, params });
    const authorization = this.token === null ? '' : `Authorization: Bearer ${this.token}\r\n`;
    return Buffer.from(
      `POST ${this.path} HTTP/1.1\r\nHost: ${this.host}:${this.port}\r\nContent-Type: application/json\r\n` +
        `Accept: application/json, text/event-stream\r\nA2A-Version: 1.0\r\n${authorization}` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }

  send(text, options) {
    return this.encode('SendMessage', messageParams(text, options));
  }

  stream(text) {
    return this.encode('SendStreamingMessage', messageParams(text));
  }

  /** One call outside the measured loops, with its result checked and parsed. */
  async call(method, params, connection) {
    const line = connection ?? (await Connection.open(this));
    try {
      return resultOf(await line.request(this.encode(method, params)));
    } finally {
      if (connection === undefined) line.close();
    }
  }

  /** Sends one message and answers its task. */
  async sendForTask(text, connection, options) {
    const { task } = await this.call('SendMessage', messageParams(text, options), connection);
    return task;
  }
}

export function resultOf({ status, body }) {
  if (status !== 200) throw new Error(`HTTP ${status} ${excerpt(body)}`);
  const { result, error } = JSON.parse(body.toString());
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return result;
}

export function excerpt(body) {
  return body.toString('utf8', 0, 200);
}

/** Every message has an id of its own: a repeated one could be answered as a retry. */
function messageParams(text, { taskId, contextId, historyLength } = {}) {
  sent += 1;
  const messageId = `m-${run}-${String(sent).padStart(10, '0')}`;
  const message = { messageId, role: 'ROLE_USER', parts: [{ text }] };
  if (taskId !== undefined) message.taskId = taskId;
  if (contextId !== undefined) message.contextId = contextId;
  return { message, configuration: historyLength === undefined ? {} : { historyLength } };
}
