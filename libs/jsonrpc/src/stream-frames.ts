import type { StreamEncoder, StreamResponse } from '@cleveragents/protocol';
import type { AnswerForm } from './answer-form.js';
import type { StreamEvent } from './stream-event.js';

/** Writes the events of one stream, in their order. */
export interface StreamFrames {
  /** The texts that stand for one event, each on one line; with the last of them the reader has the whole event. */
  of(event: StreamEvent): readonly string[];
}

/** Each element as a JSON-RPC response. */
export class ResponseFrames implements StreamFrames {
  private readonly head: string;
  /** Chosen at the first event, which says where the task comes from; null = events go out as they are. */
  private encoder: StreamEncoder | null | undefined;

  constructor(
    idText: string,
    private readonly form: AnswerForm,
  ) {
    this.head = `{"jsonrpc":"2.0","id":${idText},"result":`;
  }

  of(event: StreamEvent): readonly string[] {
    if (this.encoder === undefined) {
      this.encoder = this.form.codec(event.bornIn).isIdentity ? null : this.form.streamEncoder(event.bornIn);
    }
    if (this.encoder === null) return [`${this.head}${event.text}}`];
    return encodedOnce(this.encoder, event).map((text) => `${this.head}${text}}`);
  }
}

/** Each element alone, without an envelope. */
export class BareFrames implements StreamFrames {
  constructor(private readonly encoder: StreamEncoder) {}

  of(event: StreamEvent): readonly string[] {
    return encoded(this.encoder, event);
  }
}

interface EncodedTexts {
  last?: readonly string[];
  notLast?: readonly string[];
}

/** Readers that share an encoder get the same values: each is encoded once, however many they are. */
const textsByEncoder = new WeakMap<StreamEncoder, WeakMap<StreamResponse, EncodedTexts>>();

function encodedOnce(encoder: StreamEncoder, event: StreamEvent): readonly string[] {
  const texts = textsOf(encoder, event.value());
  const slot = event.isLast ? 'last' : 'notLast';
  return (texts[slot] ??= encoded(encoder, event));
}

function encoded(encoder: StreamEncoder, event: StreamEvent): readonly string[] {
  return encoder.encode(event.value(), event.isLast).map((element) => JSON.stringify(element));
}

function textsOf(encoder: StreamEncoder, value: StreamResponse): EncodedTexts {
  let byValue = textsByEncoder.get(encoder);
  if (byValue === undefined) textsByEncoder.set(encoder, (byValue = new WeakMap<StreamResponse, EncodedTexts>()));
  let texts = byValue.get(value);
  if (texts === undefined) byValue.set(value, (texts = {}));
  return texts;
}
