import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HostResolver } from './host-resolver.js';
import { OutboundClient, type OutboundCall } from './outbound-client.js';
import { OutboundError } from './outbound-error.js';
import { OutboundGuard } from './outbound-guard.js';

/** Answers of a name server that change from one question to the next; the last one stays. */
class ChangingName extends HostResolver {
  readonly asked: string[] = [];
  private readonly answers: string[][];

  constructor(...answers: string[][]) {
    super();
    this.answers = answers;
  }

  resolve(hostname: string): Promise<readonly string[]> {
    this.asked.push(hostname);
    return Promise.resolve((this.answers.length > 1 ? this.answers.shift() : this.answers[0]) ?? []);
  }
}

const CALL: OutboundCall = { timeoutMs: 30_000, maxResponseBytes: 1000 };

async function failureOf(call: Promise<unknown>): Promise<OutboundError> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OutboundError);
  return error as OutboundError;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe('OutboundClient', () => {
  let handle: RequestListener;
  let server: Server;
  let port: number;
  let connections: Socket[];
  const clients: OutboundClient[] = [];

  beforeEach(async () => {
    connections = [];
    handle = (_request, response) => void response.end('ok');
    server = createServer((request, response) => handle(request, response));
    server.on('connection', (socket) => connections.push(socket));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.onApplicationShutdown()));
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });

  function clientFor(policy: { isOpen: boolean }, resolver: HostResolver): [OutboundClient, OutboundGuard] {
    const guard = new OutboundGuard({ requireHttps: false, allowLoopback: policy.isOpen }, resolver);
    const client = new OutboundClient(guard);
    clients.push(client);
    return [client, guard];
  }

  function openClient(): OutboundClient {
    return clientFor({ isOpen: true }, new ChangingName(['127.0.0.1']))[0];
  }

  it('posts the body with its headers, to the host as it was named, and reads the answer', async () => {
    const seen: Promise<unknown>[] = [];
    handle = (request, response) => {
      seen.push(readBody(request).then((body) => ({ body, method: request.method, ...request.headers })));
      response.writeHead(202, { 'Retry-After': '7' }).end('taken');
    };
    const answer = await openClient().post(`http://ok.test:${port}/h?a=1`, {
      ...CALL,
      headers: { authorization: 'Bearer tok-one', 'content-type': 'application/json' },
      body: '{"a":"é"}',
    });
    expect(answer).toMatchObject({ status: 202, headers: { 'retry-after': '7' } });
    expect(answer.body.toString()).toBe('taken');
    expect(await seen[0]).toMatchObject({
      body: '{"a":"é"}',
      method: 'POST',
      host: `ok.test:${port}`,
      authorization: 'Bearer tok-one',
      'content-type': 'application/json',
    });
  });

  it('gets', async () => {
    handle = (request, response) => void response.end(`${request.method} ${request.url}`);
    const answer = await openClient().get(`http://127.0.0.1:${port}/card?x=1`, CALL);
    expect(answer.body.toString()).toBe('GET /card?x=1');
  });

  it('R23: never connects to a name that was public when it was checked and is private when it is called', async () => {
    const names = new ChangingName(['93.184.216.34'], ['127.0.0.1']);
    const [client, guard] = clientFor({ isOpen: false }, names);
    const url = `http://flip.test:${port}/h`;
    await guard.checkUrl(url, 'url');
    const failure = await failureOf(client.post(url, { ...CALL, body: '{}' }));
    expect(failure).toMatchObject({ failure: 'address_refused', status: null });
    expect(names.asked).toEqual(['flip.test', 'flip.test']);
    expect(connections).toEqual([]);
  });

  it('never connects if one of several addresses is private', async () => {
    const [client] = clientFor({ isOpen: false }, new ChangingName(['93.184.216.34', '127.0.0.1']));
    const failure = await failureOf(client.get(`http://half.test:${port}/`, CALL));
    expect(failure.failure).toBe('address_refused');
    expect(connections).toEqual([]);
  });

  it.each(['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '127.1', '[::1]'])(
    'never connects to the address %s in the URL, which nobody looks up',
    async (host) => {
      const names = new ChangingName(['93.184.216.34']);
      const [client] = clientFor({ isOpen: false }, names);
      const failure = await failureOf(client.get(`http://${host}:${port}/`, CALL));
      expect(failure.failure).toBe('address_refused');
      expect(names.asked).toEqual([]);
      expect(connections).toEqual([]);
    },
  );

  it('tells a private address and a missing name in the same words', async () => {
    const [toPrivate] = clientFor({ isOpen: false }, new ChangingName(['10.0.0.7']));
    const [toNothing] = clientFor({ isOpen: false }, new ChangingName([]));
    const refused = await failureOf(toPrivate.get('http://in.test/', CALL));
    const missing = await failureOf(toNothing.get('http://nowhere.test/', CALL));
    expect([refused.failure, refused.message]).toEqual([missing.failure, missing.message]);
  });

  it.each(['file:///etc/passwd', 'http://u:p@ok.test/', 'nonsense'])('does not call %s', async (url) => {
    expect((await failureOf(openClient().get(url, CALL))).failure).toBe('address_refused');
  });

  it('R23: does not follow a redirect', async () => {
    const paths: string[] = [];
    handle = (request, response) => {
      paths.push(request.url ?? '');
      response.writeHead(302, { location: `http://127.0.0.1:${port}/secret` }).end();
    };
    const answer = await openClient().post(`http://ok.test:${port}/redir`, { ...CALL, body: '{}' });
    expect(answer).toMatchObject({ status: 302, headers: { location: `http://127.0.0.1:${port}/secret` } });
    expect(paths).toEqual(['/redir']);
  });

  it('gives up on a receiver that never answers', async () => {
    handle = () => undefined;
    const failure = await failureOf(openClient().get(`http://ok.test:${port}/`, { ...CALL, timeoutMs: 50 }));
    expect(failure).toMatchObject({ failure: 'timed_out', status: null });
  });

  it('gives up on a receiver that never ends its answer, and says what it had answered', async () => {
    handle = (_request, response) => void response.writeHead(200).write('a');
    const failure = await failureOf(openClient().get(`http://ok.test:${port}/`, { ...CALL, timeoutMs: 1000 }));
    expect(failure).toMatchObject({ failure: 'timed_out', status: 200 });
  });

  it('stops at the first byte too many, and ends the connection', async () => {
    const isOver = new Promise<void>((resolve) => {
      handle = (_request, response) => {
        response.on('close', resolve);
        const pour = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        };
        response.on('drain', pour);
        pour();
      };
    });
    const failure = await failureOf(openClient().get(`http://ok.test:${port}/`, CALL));
    expect(failure).toMatchObject({ failure: 'response_too_large', status: 200 });
    await isOver;
  });

  it('accepts an answer of exactly the allowed size', async () => {
    handle = (_request, response) => void response.end(Buffer.alloc(1000));
    expect((await openClient().get(`http://ok.test:${port}/`, CALL)).body).toHaveLength(1000);
    handle = (_request, response) => void response.end(Buffer.alloc(1001));
    expect((await failureOf(openClient().get(`http://ok.test:${port}/`, CALL))).failure).toBe('response_too_large');
  });

  it('does not unpack a compressed answer', async () => {
    handle = (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip');
    expect((await openClient().get(`http://ok.test:${port}/`, CALL)).body.toString()).toBe('not gzip');
  });

  it('stops when its caller gives up', async () => {
    const caller = new AbortController();
    handle = () => caller.abort();
    const failure = await failureOf(openClient().get(`http://ok.test:${port}/`, { ...CALL, signal: caller.signal }));
    expect(failure.failure).toBe('aborted');
  });

  it('names what else went wrong without the address or an internal text', async () => {
    const client = openClient();
    const broken = createTcpServer((socket) => void socket.once('data', () => socket.end('HELLO\r\n\r\n')));
    await new Promise<void>((resolve) => void broken.listen(0, '127.0.0.1', resolve));
    const brokenPort = (broken.address() as AddressInfo).port;
    expect((await failureOf(client.get(`http://ok.test:${brokenPort}/`, CALL))).failure).toBe('bad_response');
    await new Promise((resolve) => void broken.close(resolve));

    const gone = await failureOf(client.get(`http://ok.test:${brokenPort}/`, CALL));
    expect(gone.failure).toBe('unreachable');
    expect(gone.message).not.toContain('127.0.0.1');
    expect((await failureOf(client.get(`https://ok.test:${port}/`, CALL))).failure).toBe('tls_failed');
    const headers = { 'x-token': 'a\r\nx-evil: 1' };
    expect((await failureOf(client.get(`http://ok.test:${port}/`, { ...CALL, headers }))).failure).toBe('bad_request');
  });

  it('reports a connection that breaks off', async () => {
    handle = (request) => void request.socket.destroy();
    expect((await failureOf(openClient().get(`http://ok.test:${port}/`, CALL))).failure).toBe('unreachable');
  });
});
