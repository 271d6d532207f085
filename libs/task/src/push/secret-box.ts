import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PushKeys } from './push-keys.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Where a secret is kept. One that is moved elsewhere does not open. */
export interface SecretPlace {
  readonly taskId: string;
  readonly id: string;
  readonly field: 'token' | 'credentials';
}

/** Encrypts the secrets of webhooks for the database (AES-256-GCM). */
@Injectable()
export class SecretBox {
  constructor(private readonly keys: PushKeys) {}

  /** The key that seals from now on. */
  get keyId(): string {
    return this.keys.sealing[0].id;
  }

  /** Whatever is sealed by one of these opens here. */
  get keyIds(): readonly string[] {
    return this.keys.sealing.map(({ id }) => id);
  }

  seal(secret: string, place: SecretPlace): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.keys.sealing[0].bytes, nonce).setAAD(aadOf(place));
    const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return sealed.toString('base64url');
  }

  open(sealed: string, keyId: string, place: SecretPlace): string {
    const key = this.keys.sealing.find(({ id }) => id === keyId);
    if (key === undefined) throw new Error(`There is no key ${keyId}`);
    const bytes = Buffer.from(sealed, 'base64url');
    const cipher = createDecipheriv(CIPHER, key.bytes, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    cipher.setAAD(aadOf(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
    return cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + cipher.final('utf8');
  }
}

function aadOf({ taskId, id, field }: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify([taskId, id, field]));
}
