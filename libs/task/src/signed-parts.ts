import { Injectable } from '@nestjs/common';
import { SignedUrls } from '@cleveragents/blob';
import { ServerAddress } from '@cleveragents/config';
import { RawJson, type StreamEvent } from '@cleveragents/jsonrpc';
import type { StreamResponse } from '@cleveragents/protocol';
import { withSignedUrls } from './domain/blob-part.js';

/** Long enough to fetch what an answer points to; whoever comes later reads the task again. */
const GOOD_FOR_S = 3600;

/** The border at which stored texts leave: parts that are in the blob store get URLs that open them for a while. */
@Injectable()
export class SignedParts {
  constructor(
    private readonly urls: SignedUrls,
    private readonly address: ServerAddress,
  ) {}

  inText(text: string): string {
    return withSignedUrls(text, (key) => this.address.baseUrl() + this.urls.make(key, { expiresInS: GOOD_FOR_S }));
  }

  inResult(result: RawJson): RawJson {
    const text = this.inText(result.text);
    return text === result.text ? result : new RawJson(text, result.bornIn);
  }

  /** An event without such parts stays the one that all its readers share. */
  inEvent(event: StreamEvent): StreamEvent {
    const text = this.inText(event.text);
    if (text === event.text) return event;
    const { cursor, isLast, bornIn } = event;
    let parsed: StreamResponse | undefined;
    const value = (): StreamResponse => (parsed ??= JSON.parse(text) as StreamResponse);
    return { cursor, text, isLast, ...(bornIn === undefined ? {} : { bornIn }), value };
  }
}
