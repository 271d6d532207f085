import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { BodyTooLargeError, InvalidRequestError, ParseError, UnsupportedContentTypeError } from '@cleveragents/jsonrpc';

const JSON_TYPE = /^application\/(?:a2a\+)?json\s*(?:;|$)/i;

/** A body beyond the limit is read on and thrown away up to here, so that its sender gets to read the answer. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/** Deeper values would exhaust the stack of whatever walks them. A shorter text cannot be that deep. */
const MAX_DEPTH = 500;
const MIN_LENGTH_OF_DEEP_TEXT = 2 * MAX_DEPTH;

/** The body as a JSON value. Reads at most `limit` bytes into memory. */
export async function readJsonBody(request: IncomingMessage, limit: number): Promise<unknown> {
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) throw new UnsupportedContentTypeError();
  const bytes = await readBytes(request, limit);
  if (!isUtf8(bytes)) throw new ParseError();
  const text = bytes.toString('utf8');
  if (text.length > MIN_LENGTH_OF_DEEP_TEXT && isTooDeep(text)) throw new InvalidRequestError('nested too deeply');
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ParseError({ cause: error });
  }
}

function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else chunks.length = 0;
      if (size > limit + MAX_DISCARDED_BYTES) {
        request.pause();
        reject(new BodyTooLargeError(limit));
      }
    });
    request.once('end', () => {
      if (size > limit) reject(new BodyTooLargeError(limit));
      else resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    });
    request.once('error', reject);
  });
}

/** Counts brackets outside strings. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at++;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
