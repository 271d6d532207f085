import { createParser } from 'eventsource-parser';

/** The smallest useful A2A client: one POST per call, and streams as async iterables. */
export class DemoClient {
  #endpoint;
  #headers;
  #id = 0;

  constructor(baseUrl, token) {
    this.#endpoint = `${baseUrl}/a2a`;
    this.#headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  }

  /** Answers the result of a method, or throws with what the server said. */
  async call(method, params = {}) {
    const response = await this.#post(method, params);
    const { result, error } = await response.json();
    if (error) throw new Error(`${method}: ${error.message} (${error.code})`);
    return result;
  }

  /** The results of a streaming method, as they arrive. */
  async *stream(method, params) {
    const response = await this.#post(method, params);
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      const { error } = await response.json();
      throw new Error(`${method}: ${error.message} (${error.code})`);
    }
    const events = [];
    const parser = createParser({ onEvent: ({ data }) => events.push(JSON.parse(data).result) });
    const decoder = new TextDecoder();
    for await (const bytes of response.body) {
      parser.feed(decoder.decode(bytes, { stream: true }));
      yield* events.splice(0);
    }
  }

  #post(method, params) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++this.#id, method, params });
    return fetch(this.#endpoint, { method: 'POST', headers: this.#headers, body });
  }
}
