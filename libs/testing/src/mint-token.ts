import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SignJWT } from 'jose';

/**
 * A token of somebody who is not the local owner, signed with the key of the server that runs on this data directory:
 * for tests with callers of several tenants.
 */
export async function mintToken(
  dataDir: string,
  subject: string,
  grants: Readonly<Record<string, 'viewer' | 'operator' | 'maintainer' | 'owner'>> = {},
): Promise<string> {
  const secret = (await readFile(join(dataDir, 'auth-secret'), 'utf8')).trim();
  return new SignJWT({ grants })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer('cleveragents')
    .setAudience('cleveragents')
    .setSubject(subject)
    .setJti(subject)
    .setIssuedAt()
    .sign(Buffer.from(secret, 'base64url'));
}
