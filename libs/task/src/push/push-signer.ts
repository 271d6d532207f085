import { hash } from 'node:crypto';
import { ServerAddress } from '@cleveragents/config';
import { PublishesKeys, type KeySource } from '@cleveragents/auth';
import { newUlid } from '@cleveragents/kernel';
import { SignJWT, type JWK } from 'jose';
import { PushKeys, SIGNING_ALGORITHM } from './push-keys.js';

/** Long enough for clocks that differ; a receiver remembers a `jti` no longer than this. */
const VALID_FOR = '5 minutes';

export interface SignedCall {
  readonly url: string;
  readonly body: string;
  readonly taskId: string;
  readonly seq: number;
}

/**
 * Proves to a receiver that a call comes from this server, is meant for it and was not changed. Every attempt has a `jti`
 * of its own: a receiver that refuses known ones must not refuse a retry.
 */
@PublishesKeys({})
export class PushSigner implements KeySource {
  constructor(
    private readonly keys: PushKeys,
    private readonly address: ServerAddress,
  ) {}

  sign({ url, body, taskId, seq }: SignedCall): Promise<string> {
    const [{ privateKey, kid }] = this.keys.signing;
    return new SignJWT({ task_id: taskId, seq, request_body_sha256: hash('sha256', body, 'hex') })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: 'JWT' })
      .setIssuer(this.address.baseUrl())
      .setAudience(new URL(url).origin)
      .setIssuedAt()
      .setExpirationTime(VALID_FOR)
      .setJti(newUlid())
      .sign(privateKey);
  }

  /** Those of older keys too: what they have signed may still be on its way. */
  publicKeys(): Promise<readonly JWK[]> {
    return Promise.resolve(this.keys.signing.map(({ publicJwk }) => publicJwk));
  }
}
