import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call to the receiver. */
export interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What the receiver does with a call: a status, or nothing until the test says so. */
export type Reaction = number | ((call: ReceivedCall, response: ServerResponse) => void);

/** A webhook receiver that does as it is told, call after call; the last reaction stays. */
export class Receiver {
  readonly calls: ReceivedCall[] = [];
  connections = 0;
  private waiting: (() => void)[] = [];

  private constructor(
    private readonly server: Server,
    private readonly host: string,
    private reactions: Reaction[],
  ) {}

  static async start(reactions: Reaction[] = [204], host = '127.0.0.1'): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server, host, reactions);
    server.on('connection', () => (receiver.connections += 1));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void receiver.receive(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://${this.host}:${this.port}/hook`;
  }

  /** From now on. */
  react(...reactions: Reaction[]): void {
    this.reactions = reactions;
  }

  /** Numbers of the events, in the order of the calls. */
  get seqs(): number[] {
    return this.calls.map(seqOf);
  }

  /** Resolves once the calls so far fulfil the condition. */
  async until(isEnough: (calls: readonly ReceivedCall[]) => boolean): Promise<readonly ReceivedCall[]> {
    while (!isEnough(this.calls)) await new Promise<void>((resolve) => this.waiting.push(resolve));
    return this.calls;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => void this.server.close(() => resolve()));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call = {
      path: request.url ?? '',
      headers: request.headers,
      text: Buffer.concat(chunks).toString(),
    };
    const reaction = (this.reactions.length > 1 ? this.reactions.shift() : this.reactions[0]) ?? 204;
    if (typeof reaction === 'number') response.writeHead(reaction).end();
    else reaction(call, response);
    this.calls.push(call);
    for (const wake of this.waiting.splice(0)) wake();
  }
}

export function seqOf({ headers }: ReceivedCall): number {
  return Number(headers['x-a2a-event-seq']);
}

/** Says nothing, ever. */
export const SILENCE: Reaction = () => undefined;
