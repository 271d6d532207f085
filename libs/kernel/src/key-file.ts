import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { basename } from 'node:path';
import { ConfigurationError } from './errors.js';
import { createOrReadOwnerFile } from './owner-file.js';

const KEY_BYTES = 32;

/**
 * The secret key in a file that only its owner may read: one line of base64url, made on first use and kept from then on.
 * Processes that start together agree on one key. A damaged file is refused: a short key could be guessed.
 */
export async function openKeyFile(path: string): Promise<KeyObject> {
  const fresh = randomBytes(KEY_BYTES).toString('base64url');
  const key = Buffer.from((await createOrReadOwnerFile(path, `${fresh}\n`)).trim(), 'base64url');
  if (key.length < KEY_BYTES) {
    throw new ConfigurationError(`The key file ${basename(path)} is damaged: it holds less than ${KEY_BYTES} bytes`);
  }
  return createSecretKey(key);
}
