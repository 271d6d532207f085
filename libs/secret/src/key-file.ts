import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { basename } from 'node:path';
import { ConfigurationError } from '@cleveragents/kernel';
import { createOrReadOwnerFile, readOwnerFile } from './owner-file.js';

const KEY_BYTES = 32;

/** The keys of one file, the newest first: it makes what is new; the others still read what they made. */
export type KeyRing = readonly [KeyObject, ...KeyObject[]];

/**
 * The secret key in a file that only its owner may read: one line of base64url, made on first use and kept from then on.
 * Processes that start together agree on one key. A damaged file is refused: a short key could be guessed.
 */
export async function openKeyFile(path: string): Promise<KeyObject> {
  const [key] = await openKeyRing(path);
  return key;
}

/** The same for a file that may hold several keys, one a line. */
export async function openKeyRing(path: string): Promise<KeyRing> {
  const fresh = randomBytes(KEY_BYTES).toString('base64url');
  return keysIn(await createOrReadOwnerFile(path, `${fresh}\n`), path);
}

/** The keys of a file that must be there: a key made in its place could read nothing of what the right one has made. */
export async function readKeyRing(path: string): Promise<KeyRing> {
  const content = await readOwnerFile(path);
  if (content === null) throw new ConfigurationError(`There is no key file ${basename(path)}`);
  return keysIn(content, path);
}

function keysIn(content: string, path: string): KeyRing {
  const [newest = '', ...older] = content.trim().split(/\s*\n\s*/);
  return [keyOf(newest, path), ...older.map((line) => keyOf(line, path))];
}

function keyOf(line: string, path: string): KeyObject {
  const key = Buffer.from(line, 'base64url');
  if (key.length >= KEY_BYTES) return createSecretKey(key);
  throw new ConfigurationError(
    `The key file ${basename(path)} is damaged: it holds a key of less than ${KEY_BYTES} bytes`,
  );
}
