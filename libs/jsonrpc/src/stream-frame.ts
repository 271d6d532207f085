import type { DialectCodec, StreamResponse } from '@cleveragents/protocol';
import type { StreamOutcome } from './dispatch-outcome.js';
import type { StreamEvent } from './stream-event.js';

/** One element of a stream as a JSON-RPC response on one line. */
export function toStreamFrame(stream: Pick<StreamOutcome, 'idText' | 'codec'>, event: StreamEvent): string {
  const result = stream.codec.isIdentity ? event.text : encoded(stream.codec, event);
  return `{"jsonrpc":"2.0","id":${stream.idText},"result":${result}}`;
}

interface EncodedTexts {
  last?: string;
  notLast?: string;
}

/** All readers of a task get the same value: it is encoded once per dialect, however many they are. */
const textsByCodec = new WeakMap<DialectCodec, WeakMap<StreamResponse, EncodedTexts>>();

function encoded(codec: DialectCodec, event: StreamEvent): string {
  const value = event.value();
  const texts = textsOf(codec, value);
  const slot = event.isLast ? 'last' : 'notLast';
  return (texts[slot] ??= JSON.stringify(codec.event(value, event.isLast)));
}

function textsOf(codec: DialectCodec, value: StreamResponse): EncodedTexts {
  let byValue = textsByCodec.get(codec);
  if (byValue === undefined) textsByCodec.set(codec, (byValue = new WeakMap<StreamResponse, EncodedTexts>()));
  let texts = byValue.get(value);
  if (texts === undefined) byValue.set(value, (texts = {}));
  return texts;
}
