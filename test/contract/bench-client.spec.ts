import { describe, expect, it } from 'vitest';
import { eventReader } from '../bench/client/event-reader.mjs';
import { ResponseReader, type Response } from '../bench/client/response-reader.mjs';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: ';
const SIZED = `${HEAD}application/json\r\nContent-Length: 11\r\n\r\n{"id":"ä"}`;
const CHUNKED = `${HEAD}application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"id"\r\n5\r\n:"x"}\r\n0\r\n\r\n`;
const EVENTS = `${HEAD}text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n6\r\nid: 2\n\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n`;

interface Read {
  readonly response: Response | null;
  readonly streamed: string;
}

/** Delivers a response in two pieces, cut at `at`. */
function readInTwo(text: string, at: number): Read {
  const bytes = Buffer.from(text);
  const streamed: Buffer[] = [];
  const reader = new ResponseReader((part) => streamed.push(part));
  const response = reader.push(bytes.subarray(0, at)) ?? reader.push(bytes.subarray(at));
  return { response, streamed: Buffer.concat(streamed).toString() };
}

function cutEverywhere(text: string): Read[] {
  return Array.from({ length: Buffer.byteLength(text) - 1 }, (_, index) => readInTwo(text, index + 1));
}

describe('the HTTP reader of the benchmark', () => {
  it('reads a sized body, wherever it is cut', () => {
    const bodies = cutEverywhere(SIZED).map(({ response }) => response?.body.toString());
    expect(new Set(bodies)).toEqual(new Set(['{"id":"ä"}']));
  });

  it('reads a chunked body, wherever it is cut', () => {
    const bodies = cutEverywhere(CHUNKED).map(({ response }) => response?.body.toString());
    expect(new Set(bodies)).toEqual(new Set(['{"id":"x"}']));
  });

  it('hands an event stream on and answers at its end', () => {
    for (const { response, streamed } of cutEverywhere(EVENTS)) {
      expect(response).toMatchObject({ status: 200, isEventStream: true });
      expect(streamed).toBe('data: 1\n\nid: 2\ndata: 2\n\n');
    }
  });

  it('keeps the body of a refused stream', () => {
    const { response } = readInTwo('HTTP/1.1 429 Too Many\r\nContent-Length: 2\r\n\r\n{}', 10);
    expect(response).toMatchObject({ status: 429, isEventStream: false, body: Buffer.from('{}') });
  });

  it('reads up to the end of the connection when no length is given', () => {
    const reader = new ResponseReader();
    expect(reader.push(Buffer.from('HTTP/1.1 200 OK\r\n\r\nall'))).toBeNull();
    expect(reader.end()?.body.toString()).toBe('all');
  });

  it('does not take a cut-off body for a whole one', () => {
    const reader = new ResponseReader();
    reader.push(Buffer.from(SIZED.slice(0, -3)));
    expect(reader.end()).toBeNull();
  });
});

describe('the event reader of the benchmark', () => {
  const events = 'id: 1\ndata: {"a":1}\n\n: heartbeat\n\ndata: {"a":\ndata: 2}\n\n';

  function readAt(text: string, at: number): string[] {
    const data: string[] = [];
    const read = eventReader((line) => data.push(line.trim()));
    read(Buffer.from(text.slice(0, at)));
    read(Buffer.from(text.slice(at)));
    return data;
  }

  it.each([
    ['line feeds', events],
    ['carriage returns', events.replaceAll('\n', '\r\n')],
  ])('finds the data of every event between %s, wherever the bytes are cut', (_, text) => {
    for (let at = 0; at <= text.length; at += 1) {
      const [first, second, ...rest] = readAt(text, at);
      expect([JSON.parse(first ?? ''), JSON.parse(second ?? '')]).toEqual([{ a: 1 }, { a: 2 }]);
      expect(rest).toEqual([]);
    }
  });
});
