import type { IncomingMessage, ServerResponse } from 'node:http';
import { A2aNotAvailableError } from '@cleveragents/kernel';
import { FailedCall, toErrorAnswer, type StreamElement, type StreamOutcome } from '@cleveragents/jsonrpc';
import { Subscription } from 'rxjs';
import { commonHeaders } from './answer-writer.js';
import type { OpenStream, OpenStreams } from './open-streams.js';

const HEARTBEAT_MS = 15_000;

/** A reader with this much unread is dropped: it resumes from its last cursor instead of filling our memory. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

/**
 * Writes a stream as server-sent events. Resolves with the first element; rejects, with nothing written, when the
 * stream fails before it, so that an early failure is a plain answer.
 */
export function writeStream(
  stream: StreamOutcome,
  request: IncomingMessage,
  response: ServerResponse,
  openStreams: OpenStreams,
): Promise<void> {
  return new Promise((resolve, reject) => {
    new SseWriter(stream, request, response, openStreams, { resolve, reject }).start();
  });
}

class SseWriter implements OpenStream {
  private readonly subscription = new Subscription();
  private heartbeat: NodeJS.Timeout | undefined;
  /** Elements that arrived in this turn of the event loop: they leave in one write. */
  private gathered = '';
  private isFlushDue = false;

  constructor(
    private readonly stream: StreamOutcome,
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly openStreams: OpenStreams,
    private readonly opening: { resolve: () => void; reject: (failed: FailedCall) => void },
  ) {}

  start(): void {
    this.response.once('close', () => this.release());
    if (this.response.closed) return this.release();
    this.subscription.add(
      this.stream.events.subscribe({
        next: (element) => this.next(element),
        error: (error: unknown) => this.fail(error),
        complete: () => this.complete(),
      }),
    );
  }

  end(): void {
    this.release();
    this.response.end(this.take());
  }

  private next(element: StreamElement): void {
    if (!this.response.headersSent) this.open();
    if (this.response.writableLength > MAX_UNREAD_BYTES) {
      this.release();
      this.response.destroy();
      return;
    }
    this.gather(element);
    if (this.isFlushDue) return;
    this.isFlushDue = true;
    queueMicrotask(this.flush);
  }

  /** The cursor stands at the last text of an event: who has read less resumes before it. */
  private gather({ texts, cursor }: StreamElement): void {
    const last = texts.length - 1;
    for (const [index, text] of texts.entries()) {
      const id = index === last && cursor !== null ? `id: ${cursor}\n` : '';
      this.gathered += `${id}data: ${text}\n\n`;
    }
  }

  private open(): void {
    this.response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache',
      'X-Accel-Buffering': 'no',
      ...commonHeaders(this.request, this.stream.headers),
    });
    this.openStreams.add(this);
    this.heartbeat = setInterval(() => this.response.write(': heartbeat\n\n'), HEARTBEAT_MS).unref();
    this.opening.resolve();
  }

  private readonly flush = (): void => {
    this.isFlushDue = false;
    const text = this.take();
    if (text !== '' && !this.response.writableEnded) this.response.write(text);
  };

  private complete(): void {
    if (this.response.headersSent) this.end();
    else this.fail(new A2aNotAvailableError('The stream ended before it began'));
  }

  private fail(error: unknown): void {
    this.release();
    const failed = new FailedCall(error, this.stream.context, this.stream.idText, this.stream.headers);
    if (!this.response.headersSent) return this.opening.reject(failed);
    this.response.end(`${this.take()}event: error\ndata: ${toErrorAnswer(failed).body}\n\n`);
  }

  private take(): string {
    const text = this.gathered;
    this.gathered = '';
    return text;
  }

  /** The run is untouched by a reader that leaves: only what the reader held is given back, at once. */
  private release(): void {
    clearInterval(this.heartbeat);
    this.subscription.unsubscribe();
    this.openStreams.delete(this);
  }
}
