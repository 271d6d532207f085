import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { AppConfig } from '@cleveragents/config';
import { ConfigurationError } from '@cleveragents/kernel';
import { openKeyRing, readKeyRing, type KeyRing } from '@cleveragents/secret';
import { calculateJwkThumbprint, type JWK } from 'jose';

/** Encrypts what the database keeps of clients' secrets. */
export interface SealingKey {
  /** Names the key in the database, without telling anything of it. */
  readonly id: string;
  readonly bytes: Buffer;
}

/** Signs what is sent to webhooks. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly kid: string;
  readonly publicJwk: JWK;
}

export const SIGNING_ALGORITHM = 'EdDSA';

/** The head of an Ed25519 private key in PKCS #8 (RFC 8410 §7); the 32 bytes of its seed follow. */
const ED25519_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The keys of push notifications, the newest first. All come from one key file, so that servers which share it read each
 * other's configurations and sign with the same key, and so that a new first line changes both.
 */
export class PushKeys {
  private constructor(
    readonly sealing: readonly [SealingKey, ...SealingKey[]],
    readonly signing: readonly [SigningKey, ...SigningKey[]],
  ) {}

  static async open({ dataDir, encryption: { keyFile } }: AppConfig): Promise<PushKeys> {
    return PushKeys.of(await (keyFile === null ? openKeyRing(join(dataDir, 'encryption-keys')) : configured(keyFile)));
  }

  static async of([newest, ...older]: KeyRing): Promise<PushKeys> {
    return new PushKeys(
      [sealingKey(newest), ...older.map(sealingKey)],
      [await signingKey(newest), ...(await Promise.all(older.map(signingKey)))],
    );
  }
}

async function configured(path: string): Promise<KeyRing> {
  try {
    return await readKeyRing(path);
  } catch (cause) {
    const key = 'ENCRYPTION_KEY_FILE';
    throw new ConfigurationError(`The file of ${key} cannot be read, or holds no keys`, { key }, { cause });
  }
}

function sealingKey(key: KeyObject): SealingKey {
  const bytes = derived(key, 'push-credentials');
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 16), bytes };
}

async function signingKey(key: KeyObject): Promise<SigningKey> {
  const pkcs8 = Buffer.concat([ED25519_HEAD, derived(key, 'push-signature')]);
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' }) as JWK;
  const kid = await calculateJwkThumbprint(jwk);
  return { privateKey, kid, publicJwk: { ...jwk, kid, alg: SIGNING_ALGORITHM, use: 'sig' } };
}

/** A key of its own for every purpose (RFC 5869): none of them tells anything of the others. */
function derived(key: KeyObject, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key.export(), '', `cleveragents ${purpose}`, 32));
}
