import type { Random } from './random.js';
import { addOddMember, oddValue } from './values.js';
import type { ValidRequest } from './valid-request.js';

/** What goes out: bytes, because not all of it is text. */
export interface MutatedRequest {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

type Json = Record<string, unknown>;

/** One request of the corpus with one to three things wrong with it. */
export function mutated(corpus: readonly ValidRequest[], random: Random): MutatedRequest {
  const call = callOf(corpus, random);
  for (let left = random.pick([1, 1, 1, 2, 3]); left > 0; left -= 1) random.pick(CALL_MUTATIONS)(call, random, corpus);
  const text = JSON.stringify(random.oneIn(12) ? batchOf(call, corpus, random) : call);
  const body = random.oneIn(10) ? random.pick(TEXT_MUTATIONS)(Buffer.from(text), random) : Buffer.from(text);
  return { body, headers: headersOf(random) };
}

function callOf(corpus: readonly ValidRequest[], random: Random): Json {
  const { method, params } = random.pick(corpus);
  return { jsonrpc: '2.0', id: random.below(1000), method, params: structuredClone(params) };
}

function batchOf(call: Json, corpus: readonly ValidRequest[], random: Random): unknown[] {
  const length = random.oneIn(20) ? 60 : random.below(4);
  return [call, ...Array.from({ length }, () => (random.oneIn(6) ? oddValue(random) : callOf(corpus, random)))];
}

type CallMutation = (call: Json, random: Random, corpus: readonly ValidRequest[]) => void;

const CALL_MUTATIONS: readonly CallMutation[] = [
  atSomePlace((parent, key, random) => setMember(parent, key, oddValue(random))),
  atSomePlace((parent, key, random) => setMember(parent, key, oddValue(random))),
  atSomePlace((parent, key) => Reflect.deleteProperty(parent, key)),
  atSomePlace((parent, key, random) => setMember(parent, key, wrapped(Reflect.get(parent, key), random))),
  atSomePlace((parent, key, random) => renameMember(parent, key, random)),
  atSomePlace((parent, _key, random) => addOddMember(parent, random)),
  (call, random) => addOddMember(paramsOf(call), random),
  // The params of another method, and one member of them: ids and shapes of another dialect.
  (call, random, corpus) => void (call.params = structuredClone(random.pick(corpus).params)),
  (call, random, corpus) => void Object.assign(paramsOf(call), structuredClone(random.pick(corpus).params)),
  (call, random) => void (call.id = oddValue(random)),
  (call, random) => void (call.method = oddMethod(textOf(call.method), random)),
  (call, random) => setMember(call, random.pick(['jsonrpc', 'id', 'method', 'params']), oddValue(random)),
  (call, random) => Reflect.deleteProperty(call, random.pick(['jsonrpc', 'id', 'method', 'params'])),
];

function paramsOf(call: Json): Json {
  const { params } = call;
  return typeof params === 'object' && params !== null ? (params as Json) : {};
}

function atSomePlace(change: (parent: object, key: string, random: Random) => unknown): CallMutation {
  return (call, random) => {
    let parent: object = call;
    let key = 'params';
    for (let value = call.params; typeof value === 'object' && value !== null && !random.oneIn(3);) {
      const keys = Object.keys(value);
      if (keys.length === 0) break;
      parent = value;
      key = random.pick(keys);
      value = Reflect.get(parent, key) as unknown;
    }
    change(parent, key, random);
  };
}

function setMember(parent: object, key: string, value: unknown): void {
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
}

function wrapped(value: unknown, random: Random): unknown {
  return random.pick([[value], { value }, [value, value], textOf(value), [[[value]]]]);
}

/** Without `toString`, which the value may have got a member for. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function renameMember(parent: object, key: string, random: Random): void {
  const value: unknown = Reflect.get(parent, key);
  const snake = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  Reflect.deleteProperty(parent, key);
  setMember(parent, random.pick([key.toUpperCase(), snake, `${key} `, `_${key}`, key.slice(1)]), value);
}

function oddMethod(method: string, random: Random): string {
  return random.pick([
    method.toUpperCase(),
    `${method} `,
    `/${method}`,
    `${method}/`,
    method.replace('/', '.'),
    method.slice(0, -1),
    `${method}\u0000`,
    '__proto__',
    'constructor',
    'toString',
    '_cleveragents/',
    'x'.repeat(5000),
  ]);
}

type TextMutation = (text: Buffer, random: Random) => Buffer;

const TEXT_MUTATIONS: readonly TextMutation[] = [
  (text, random) => text.subarray(0, random.below(text.length + 1)),
  (text, random) => spliced(text, random, 1, Buffer.from([random.below(256)])),
  (text, random) => spliced(text, random, 0, Buffer.from([random.below(256), random.below(256)])),
  (text, random) => spliced(text, random, 0, Buffer.from([0xc3, 0x28, 0xff])),
  (text, random) => spliced(text, random, 0, Buffer.from('\\ud800')),
  (text, random) => spliced(text, random, random.below(20), Buffer.alloc(0)),
  (text) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text]),
  (text, random) => Buffer.concat([text, Buffer.from(random.pick(['}', ']', ',', '\n\n', '{}', '\u0000', 'x']))]),
  (text) => Buffer.concat([Buffer.from('{"id":1,"method":"GetTask",'), text.subarray(1)]),
  (text) => Buffer.from(text.toString('utf8'), 'utf16le'),
  () => Buffer.from('[' + '['.repeat(20_000)),
  () => Buffer.from('{"a":'.repeat(20_000)),
  () => Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"GetTask","params":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
  () => Buffer.alloc(0),
];

function spliced(text: Buffer, random: Random, removed: number, added: Buffer): Buffer {
  const at = random.below(text.length + 1);
  return Buffer.concat([text.subarray(0, at), added, text.subarray(at + removed)]);
}

const VERSIONS = ['1.0', '0.3', '0.1', '0.2', '1.0.1', ''];
const ODD_VERSIONS = ['2.0', 'x', '1'.repeat(300), '-1.0'];
const TYPES = ['application/json; charset=utf-8', 'application/a2a+json', 'text/plain', 'application/json;;;', 'x'];

function headersOf(random: Random): Record<string, string> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (random.oneIn(4)) headers['A2A-Version'] = random.pick(random.oneIn(10) ? ODD_VERSIONS : VERSIONS);
  if (random.oneIn(40)) headers['Content-Type'] = random.pick(TYPES);
  if (random.oneIn(20)) headers['Last-Event-ID'] = random.pick(['garbage', '', '0', 'abcdef01-1', '9'.repeat(400)]);
  if (random.oneIn(20)) headers['Idempotency-Key'] = random.pick(['k', '', ' ', 'k'.repeat(2000), 'ü']);
  if (random.oneIn(20))
    headers['A2A-Extensions'] = random.pick(['urn:cleveragents:extensions:v1', ',,,', 'x'.repeat(3000)]);
  if (random.oneIn(20)) headers.Accept = random.pick(['text/event-stream', '*/*', '', 'nonsense']);
  if (random.oneIn(30)) headers['X-Correlation-ID'] = random.pick(['a b', 'x'.repeat(3000), '%0d%0a', '"']);
  return headers;
}
