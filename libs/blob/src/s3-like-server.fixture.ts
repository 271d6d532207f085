import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

interface StoredObject {
  readonly bytes: Buffer;
  readonly headers: Record<string, string>;
}

/** As much of the protocol of S3 as a store of objects speaks: PUT, GET and DELETE of one object by path. */
export class S3LikeServer {
  readonly requests: SeenRequest[] = [];
  private readonly objects = new Map<string, StoredObject>();
  private readonly failures: number[] = [];
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => void this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => void this.server.close(resolve));
  }

  failNext(status: number, times: number): void {
    this.failures.push(...Array.from({ length: times }, () => status));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    this.requests.push({ method, url, headers });
    const bytes = await buffer(request);
    const failure = this.failures.shift();
    if (failure !== undefined) response.writeHead(failure).end('<Error/>');
    else if (method === 'PUT') this.store(url, bytes, request, response);
    else if (method === 'DELETE') response.writeHead(this.objects.delete(url) ? 204 : 404).end();
    else this.serve(url, response);
  }

  private store(url: string, bytes: Buffer, { headers }: IncomingMessage, response: ServerResponse): void {
    const kept = ['content-type', 'x-amz-meta-filename'].filter((name) => headers[name] !== undefined);
    this.objects.set(url, { bytes, headers: Object.fromEntries(kept.map((name) => [name, String(headers[name])])) });
    response.writeHead(200).end();
  }

  private serve(url: string, response: ServerResponse): void {
    const found = this.objects.get(url);
    if (found === undefined) response.writeHead(404).end('<Error/>');
    else response.writeHead(200, { ...found.headers, 'content-length': found.bytes.length }).end(found.bytes);
  }
}
