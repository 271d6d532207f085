const HEAD_END = Buffer.from('\r\n\r\n');
const NO_BYTES = Buffer.alloc(0);

/**
 * Reads one HTTP/1.1 response from the pieces in which a socket delivers it. The body of an event stream is handed on
 * as it arrives; any other body is kept until it is whole.
 */
export class ResponseReader {
  #onEventBytes;
  #pending = null;
  #head = null;
  #body = [];

  constructor(onEventBytes) {
    this.#onEventBytes = onEventBytes;
  }

  /** Takes the next bytes; answers the response when it is complete, else null. */
  push(bytes) {
    let rest = this.#pending === null ? bytes : Buffer.concat([this.#pending, bytes]);
    this.#pending = null;
    if (this.#head === null) {
      const end = rest.indexOf(HEAD_END);
      if (end < 0) return this.#wait(rest);
      this.#head = readHead(rest.latin1Slice(0, end).toLowerCase());
      rest = rest.subarray(end + HEAD_END.length);
    }
    if (this.#head.isChunked) return this.#pushChunked(rest);
    if (this.#head.length !== null) return this.#pushSized(rest);
    this.#take(rest);
    return null;
  }

  /** The connection ended: the response if only that was missing, else null. */
  end() {
    const endsAtClose = this.#head !== null && !this.#head.isChunked && this.#head.length === null;
    return endsAtClose ? this.#response() : null;
  }

  #pushSized(bytes) {
    if (bytes.length < this.#head.length) return this.#wait(bytes);
    this.#take(bytes.subarray(0, this.#head.length));
    return this.#response();
  }

  #pushChunked(bytes) {
    let offset = 0;
    for (;;) {
      const sizeEnd = bytes.indexOf('\r\n', offset, 'latin1');
      if (sizeEnd < 0) break;
      const begin = sizeEnd + 2;
      const size = Number.parseInt(bytes.latin1Slice(offset, sizeEnd), 16);
      if (bytes.length < begin + size + 2) break;
      if (size === 0) return this.#response();
      this.#take(bytes.subarray(begin, begin + size));
      offset = begin + size + 2;
    }
    return this.#wait(bytes.subarray(offset));
  }

  #take(bytes) {
    if (bytes.length === 0) return;
    if (this.#head.isEventStream && this.#onEventBytes) this.#onEventBytes(bytes);
    else this.#body.push(bytes);
  }

  #wait(bytes) {
    if (bytes.length > 0) this.#pending = bytes;
    return null;
  }

  #response() {
    const [first = NO_BYTES, ...more] = this.#body;
    const body = more.length === 0 ? first : Buffer.concat(this.#body);
    return { status: this.#head.status, isEventStream: this.#head.isEventStream, body };
  }
}

function readHead(head) {
  const length = /\r\ncontent-length: *(\d+)/.exec(head);
  return {
    status: Number(head.slice(9, 12)),
    length: length === null ? null : Number(length[1]),
    isChunked: /\r\ntransfer-encoding: *chunked/.test(head),
    isEventStream: /\r\ncontent-type: *text\/event-stream/.test(head),
  };
}
