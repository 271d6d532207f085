import { connect } from 'node:net';
import { ResponseReader } from './response-reader.mjs';

const UNARY_LIMIT_MS = 15_000;
const STREAM_LIMIT_MS = 45_000;
const SWEEP_MS = 500;

/** One sweep for all connections: a timer per request would cost the client more than the request. */
const open = new Set();
setInterval(() => {
  const now = performance.now();
  for (const connection of open) connection.expire(now);
}, SWEEP_MS).unref();

/**
 * A keep-alive HTTP/1.1 connection that carries one request at a time. It writes prepared bytes and reads just what
 * the benchmark needs, so that the servers and not this client are the limit.
 */
export class Connection {
  #address;
  #socket = null;
  #exchange = null;

  constructor({ host, port }) {
    this.#address = { host, port, noDelay: true };
  }

  static async open(address) {
    const connection = new Connection(address);
    await connection.#connect();
    return connection;
  }

  /** Sends a whole request; `onEventBytes` gets the body of an event stream as it arrives. */
  async request(bytes, onEventBytes) {
    if (this.#socket === null) await this.#connect();
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + (onEventBytes ? STREAM_LIMIT_MS : UNARY_LIMIT_MS);
      this.#exchange = { reader: new ResponseReader(onEventBytes), resolve, reject, deadline };
      this.#socket.write(bytes);
    });
  }

  /** Ends the connection; `reason` becomes the error of a request that is under way. */
  close(reason) {
    this.#socket?.destroy(reason);
  }

  expire(now) {
    if (this.#exchange !== null && now > this.#exchange.deadline) this.close(new Error('no answer in time'));
  }

  #connect() {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#address);
      socket.once('connect', () => {
        this.#socket = socket;
        open.add(this);
        resolve();
      });
      socket.on('data', (bytes) => this.#receive(bytes));
      socket.on('error', (error) => {
        reject(error);
        this.#fail(error);
      });
      socket.on('close', () => {
        open.delete(this);
        this.#socket = null;
        this.#fail(new Error('the server closed the connection'));
      });
    });
  }

  #receive(bytes) {
    const response = this.#exchange?.reader.push(bytes) ?? null;
    if (response === null) return;
    const { resolve } = this.#exchange;
    this.#exchange = null;
    resolve(response);
  }

  #fail(error) {
    if (this.#exchange === null) return;
    const { reader, resolve, reject } = this.#exchange;
    this.#exchange = null;
    const response = reader.end();
    if (response === null) reject(error);
    else resolve(response);
  }
}

export function openConnections(address, count) {
  return Promise.all(Array.from({ length: count }, () => Connection.open(address)));
}
