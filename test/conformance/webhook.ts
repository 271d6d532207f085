import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface Notification {
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A client's webhook: takes whatever comes and remembers it. */
export class Webhook {
  readonly notifications: Notification[] = [];
  /** Answers are taken from the front; then it is 204. */
  readonly statuses: number[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Webhook> {
    const server = createServer();
    const webhook = new Webhook(server);
    server.on('request', (request, response) => {
      void json(request).then((body) => {
        response.writeHead(webhook.statuses.shift() ?? 204).end();
        webhook.notifications.push({ headers: request.headers, body });
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return webhook;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
