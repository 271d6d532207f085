import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { expect } from 'vitest';
import { answerIn, checkedAnswer, type JsonRpcAnswer } from './json-rpc-answer.js';

/** One server-sent event: its replay cursor and the JSON-RPC response in it. */
export interface StreamedAnswer {
  readonly cursor: string | undefined;
  readonly answer: JsonRpcAnswer;
}

/** Reads the answer to a streaming call, event by event. */
export class EventStream {
  private readonly received: EventSourceMessage[] = [];
  private chunks: AsyncIterator<Uint8Array> | undefined;
  private readonly decoder = new TextDecoder();
  private readonly parser = createParser({ onEvent: (event) => this.received.push(event) });

  constructor(
    readonly response: Response,
    private readonly id: unknown,
    private readonly abort: AbortController,
  ) {}

  get isStream(): boolean {
    return this.response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  }

  /** The only answer to a call that was refused before its stream began. */
  refusal(): Promise<JsonRpcAnswer> {
    return answerIn(this.response, this.id);
  }

  /** The next event, or undefined at the end of the stream. */
  async next(): Promise<StreamedAnswer | undefined> {
    expect(this.isStream).toBe(true);
    this.chunks ??= (this.response.body as AsyncIterable<Uint8Array> | null)?.[Symbol.asyncIterator]();
    while (this.received.length === 0) {
      const chunk = await this.chunks?.next();
      if (chunk === undefined || chunk.done === true) return undefined;
      this.parser.feed(this.decoder.decode(chunk.value, { stream: true }));
    }
    const event = this.received.shift();
    if (event === undefined) return undefined;
    return { cursor: event.id, answer: checkedAnswer(JSON.parse(event.data), this.id) };
  }

  /** The next event of a stream that must not be over yet. */
  async take(): Promise<StreamedAnswer> {
    const event = await this.next();
    if (event === undefined) throw new Error('The stream is over');
    return event;
  }

  /** All that is left, up to the end that the server makes. */
  async rest(): Promise<StreamedAnswer[]> {
    const events: StreamedAnswer[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) events.push(event);
    return events;
  }

  /** Goes away, as a client does whose connection breaks. */
  leave(): void {
    this.abort.abort();
  }
}
