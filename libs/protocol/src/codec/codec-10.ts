import type { JsonObject, JsonValue } from '@cleveragents/kernel';
import type { Operation } from '../dialect.js';
import { decodeRequest } from './decode-request.js';
import type { DialectCodec, StreamEncoder } from './dialect-codec.js';

// A StreamResponse is JSON by construction; as an interface it only lacks the index signature.
const STREAM_ENCODER: StreamEncoder = { encode: (event) => [event as unknown as JsonObject] };

/** A2A 1.0: the internal form itself. Only requests need a look, because callers may mix in older spellings. */
export const codec10: DialectCodec = {
  dialect: '1.0',
  isIdentity: true,
  decode: (operation: Operation, params: JsonObject, method: string = operation) =>
    decodeRequest(operation, params, { isZeroX: false, method }),
  wireTaskId: () => undefined,
  encode: (_operation: Operation, result: JsonValue) => result,
  streamEncoder: () => STREAM_ENCODER,
};
