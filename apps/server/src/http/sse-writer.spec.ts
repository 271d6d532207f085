import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FailedCall, type StreamElement, type StreamOutcome } from '@cleveragents/jsonrpc';
import { concat, NEVER, of, Subject, throwError, type Observable } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OpenStreams } from './open-streams.js';
import { writeStream } from './sse-writer.js';

function elementOf(...results: string[]): StreamElement {
  const texts = results.map((result) => `{"jsonrpc":"2.0","id":7,"result":${JSON.stringify(result)}}`);
  return { cursor: `c-${results[0]?.slice(0, 8)}`, texts };
}

function outcomeOf(events: Observable<StreamElement>): StreamOutcome {
  const context = { family: 'standard', dialect: '1.0', method: 'SendStreamingMessage', correlationId: 'c' } as const;
  return { kind: 'stream', idText: '7', events, context, headers: {} };
}

let server: Server;
let openStreams: OpenStreams;
let events: Observable<StreamElement>;
let failure: Promise<FailedCall | null>;
let served: ServerResponse;

beforeEach(async () => {
  openStreams = new OpenStreams();
  server = createServer((request, response) => {
    served = response;
    failure = writeStream(outcomeOf(events), request, response, openStreams).then(
      () => null,
      (failed: FailedCall) => {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
        return failed;
      },
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

async function open(): Promise<IncomingMessage> {
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response.setEncoding('utf8');
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += chunk as string;
  return text;
}

describe('writeStream', () => {
  it('writes one data line per element, with its cursor, and ends with the source', async () => {
    events = of(elementOf('one'), elementOf('two'));
    expect(await textOf(await open())).toBe(
      'id: c-one\ndata: {"jsonrpc":"2.0","id":7,"result":"one"}\n\nid: c-two\ndata: {"jsonrpc":"2.0","id":7,"result":"two"}\n\n',
    );
    expect(openStreams.count).toBe(0);
  });

  it('writes the cursor of an event with several texts at the last', async () => {
    events = of({ ...elementOf('one', 'two'), cursor: 'c' });
    expect(await textOf(await open())).toBe(
      'data: {"jsonrpc":"2.0","id":7,"result":"one"}\n\nid: c\ndata: {"jsonrpc":"2.0","id":7,"result":"two"}\n\n',
    );
  });

  it('sends elements that are there together in one piece', async () => {
    events = concat(of(elementOf('one'), elementOf('two'), elementOf('three')), NEVER);
    const [piece] = (await once(await open(), 'data')) as [string];
    expect(piece.match(/data: /g)).toHaveLength(3);
  });

  it('writes nothing when the stream fails before its first element', async () => {
    events = throwError(() => new Error('early'));
    const response = await open();
    expect(response.headers['content-type']).toBe('application/json');
    expect(await failure).toBeInstanceOf(FailedCall);
    expect(await textOf(response)).toBe('{}');
  });

  it('fails when the stream ends before its first element', async () => {
    events = of();
    await open();
    expect(await failure).toMatchObject({ cause: { reason: 'NOT_AVAILABLE' } });
  });

  it('tells a later failure in an error event, without its cause', async () => {
    events = concat(
      of(elementOf('one')),
      throwError(() => new Error('s3cret')),
    );
    const text = await textOf(await open());
    expect(text).toContain('event: error\ndata: {"jsonrpc":"2.0","id":7,"error":{"code":-32603');
    expect(text).not.toContain('s3cret');
  });

  it('lets go of the source at once when the reader leaves', async () => {
    const source = new Subject<StreamElement>();
    events = source;
    const opened = open();
    await vi.waitUntil(() => source.observed);
    source.next(elementOf('one'));
    (await opened).destroy();
    await once(served, 'close');
    expect(source.observed).toBe(false);
    expect(openStreams.count).toBe(0);
  });

  it('drops a reader that does not read', async () => {
    const source = new Subject<StreamElement>();
    events = source;
    const opened = open();
    await vi.waitUntil(() => source.observed);
    source.next(elementOf('one'));
    (await opened).pause();
    const large = elementOf('x'.repeat(1024 * 1024));
    let sent = 0;
    while (source.observed && sent < 100) {
      source.next(large);
      sent += 1;
      await Promise.resolve();
    }
    expect(sent).toBeLessThan(100);
    expect(served.destroyed).toBe(true);
  });

  it('keeps a quiet stream alive with comments', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    events = concat(of(elementOf('one')), NEVER);
    const response = await open();
    await once(response, 'data');
    vi.advanceTimersByTime(15_000);
    expect(await once(response, 'data')).toEqual([': heartbeat\n\n']);
  });

  it('ends every open stream when the server stops', async () => {
    events = concat(of(elementOf('one')), NEVER);
    const response = await open();
    openStreams.endAll();
    expect(await textOf(response)).toContain('"one"');
    expect(openStreams.count).toBe(0);
  });
});
