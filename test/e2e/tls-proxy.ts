import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { createServer, request as requestHttps, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface ProxiedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A proxy that ends TLS for one host name and serves the server below a path, as operators set one up. */
export class TlsProxy {
  private constructor(
    private readonly server: Server,
    private readonly certificate: Buffer,
  ) {}

  /** `directory` takes the certificate, which is made for this proxy. */
  static async start(publicUrl: URL, target: string, directory: string): Promise<TlsProxy> {
    const [keyFile, certFile] = [join(directory, 'proxy-key.pem'), join(directory, 'proxy-cert.pem')];
    const subject = ['-subj', `/CN=${publicUrl.hostname}`, '-addext', `subjectAltName=DNS:${publicUrl.hostname}`];
    const fresh = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-keyout', keyFile, '-out', certFile];
    await run('openssl', ['req', ...fresh, ...subject]);
    const [key, cert] = [await readFile(keyFile), await readFile(certFile)];
    const server = createServer({ key, cert }, (incoming, answer) => {
      const path = (incoming.url ?? '/').slice(publicUrl.pathname.length);
      // The client's own forwarding headers are passed on but for what this proxy says itself.
      const headers = { ...incoming.headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' };
      const outgoing = requestHttp(`${target}${path}`, { method: incoming.method, headers }, (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      });
      outgoing.on('error', () => answer.destroy());
      incoming.pipe(outgoing);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TlsProxy(server, cert);
  }

  /** Asks the proxy for a public URL: what a client does that resolves the host name to it. */
  async ask(
    url: URL,
    options: {
      readonly method?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    } = {},
  ): Promise<ProxiedAnswer> {
    const { port } = this.server.address() as AddressInfo;
    const { body, headers = {}, method = 'GET' } = options;
    const request = requestHttps({
      host: '127.0.0.1',
      port,
      servername: url.hostname,
      ca: this.certificate,
      path: `${url.pathname}${url.search}`,
      method,
      headers: { host: url.host, ...headers },
    });
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
