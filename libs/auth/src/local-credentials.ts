import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { newUlid } from '@cleveragents/kernel';
import { openKeyFile, readOwnerFile, replaceOwnerFile } from '@cleveragents/secret';
import { SignJWT, jwtVerify } from 'jose';
import { LOCAL_OWNER } from './local-owner.js';

export const TOKEN_ISSUER = 'cleveragents';
export const TOKEN_AUDIENCE = 'cleveragents';
export const TOKEN_ALGORITHM = 'HS256';

/**
 * The credentials of single-user mode: a secret of this installation and one token signed with it, both in the data
 * directory, readable by their owner alone and kept over restarts.
 */
export class LocalCredentials {
  private constructor(
    readonly key: KeyObject,
    /** Holds the token in one line. */
    readonly tokenFile: string,
  ) {}

  static async open(dataDir: string): Promise<LocalCredentials> {
    const key = await openKeyFile(join(dataDir, 'auth-secret'));
    const credentials = new LocalCredentials(key, join(dataDir, 'token'));
    await credentials.keepOrIssueToken();
    return credentials;
  }

  /** A token that no longer verifies (another secret, a damaged file) is replaced. */
  private async keepOrIssueToken(): Promise<void> {
    const present = (await readOwnerFile(this.tokenFile))?.trim();
    if (present !== undefined && (await this.verifies(present))) return;
    await replaceOwnerFile(this.tokenFile, `${await this.issue()}\n`);
  }

  private issue(): Promise<string> {
    return new SignJWT()
      .setProtectedHeader({ alg: TOKEN_ALGORITHM, typ: 'JWT' })
      .setIssuer(TOKEN_ISSUER)
      .setAudience(TOKEN_AUDIENCE)
      .setSubject(LOCAL_OWNER.id)
      .setJti(newUlid())
      .setIssuedAt()
      .sign(this.key);
  }

  private async verifies(token: string): Promise<boolean> {
    const expected = { issuer: TOKEN_ISSUER, audience: TOKEN_AUDIENCE, algorithms: [TOKEN_ALGORITHM] };
    return jwtVerify(token, this.key, expected).then(
      () => true,
      () => false,
    );
  }
}
