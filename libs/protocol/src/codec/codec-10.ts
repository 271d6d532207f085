import type { JsonObject, JsonValue } from '@cleveragents/kernel';
import type { StreamResponse } from '../a2a.js';
import type { Operation } from '../dialect.js';
import { decodeRequest } from './decode-request.js';
import type { DialectCodec } from './dialect-codec.js';

/** A2A 1.0: the internal form itself. Only requests need a look, because callers may mix in older spellings. */
export const codec10: DialectCodec = {
  dialect: '1.0',
  isIdentity: true,
  decode: (operation: Operation, params: JsonObject, method: string = operation) =>
    decodeRequest(operation, params, { isZeroX: false, method }),
  encode: (_operation: Operation, result: JsonValue) => result,
  // A StreamResponse is JSON by construction; as an interface it only lacks the index signature.
  event: (event: StreamResponse) => event as unknown as JsonObject,
};
