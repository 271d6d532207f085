import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@cleveragents/config';
import { AuthenticationError, AuthorizationError, Clock, type Principal } from '@cleveragents/kernel';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Authorizer } from './authorizer.js';
import { CallerAuthenticator } from './caller-authenticator.js';
import { JwtStrategy } from './jwt.strategy.js';
import { LocalCredentials } from './local-credentials.js';
import { LOCAL_OWNER } from './local-owner.js';

let dataDir: string;
let credentials: LocalCredentials;
let token: string;
let now = new Date();

class TestClock extends Clock {
  now(): Date {
    return now;
  }
}

function authenticator(variables: Record<string, string> = {}): CallerAuthenticator {
  const config = readConfig({ variables, workingDirectory: '/', isTerminal: false });
  return new CallerAuthenticator(new JwtStrategy(credentials), new TestClock(), config);
}

function signed(claims: Record<string, unknown>, key = credentials.key): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(key);
}

const OWNER = { sub: LOCAL_OWNER.id, iss: 'cleveragents', aud: 'cleveragents' };

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'auth-'));
  credentials = await LocalCredentials.open(dataDir);
  token = readFileSync(credentials.tokenFile, 'utf8').trim();
});

afterAll(() => rmSync(dataDir, { recursive: true }));

describe('LocalCredentials', () => {
  it('writes one line that only its owner may read', () => {
    expect(readFileSync(credentials.tokenFile, 'utf8')).toMatch(/^\S+\n$/);
    expect(statSync(credentials.tokenFile).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'auth-secret')).mode & 0o777).toBe(0o600);
  });

  it('keeps the token over restarts', async () => {
    await LocalCredentials.open(dataDir);
    expect(readFileSync(credentials.tokenFile, 'utf8').trim()).toBe(token);
  });

  it('lets two processes that start together agree on one secret', async () => {
    const shared = mkdtempSync(join(tmpdir(), 'auth-'));
    const [a, b] = await Promise.all([LocalCredentials.open(shared), LocalCredentials.open(shared)]);
    expect(a.key.equals(b.key)).toBe(true);
    rmSync(shared, { recursive: true });
  });

  it('replaces a damaged token', async () => {
    const damaged = mkdtempSync(join(tmpdir(), 'auth-'));
    writeFileSync(join(damaged, 'token'), 'nonsense\n');
    const opened = await LocalCredentials.open(damaged);
    expect(readFileSync(opened.tokenFile, 'utf8')).toMatch(/^ey\S+\n$/);
    rmSync(damaged, { recursive: true });
  });
});

describe('CallerAuthenticator', () => {
  it('knows the owner by the token, and by memory from then on', async () => {
    const subject = authenticator();
    const first = await subject.authenticate({ authorization: `Bearer ${token}` });
    expect(first).toMatchObject({ id: 'local-owner', personalNamespace: 'local', grants: 'all' });
    expect(subject.authenticate({ authorization: `Bearer ${token}` })).toBe(first);
  });

  it('knows a member by the roles that this server signed', async () => {
    const claims = { ...OWNER, sub: 'ada', grants: { acme: 'operator' } };
    const member = await authenticator().authenticate({ authorization: `Bearer ${await signed(claims)}` });
    expect(member).toMatchObject({ id: 'ada', kind: 'user', isServerAdmin: false, personalNamespace: 'ada' });
    expect(member).toMatchObject({
      grants: new Map([
        ['acme', 'operator'],
        ['ada', 'owner'],
      ]),
    });
  });

  it('asks for credentials where there are none', () => {
    const answer = authenticator().authenticate({});
    expect(answer).toBeInstanceOf(AuthenticationError);
    expect(answer).toMatchObject({ reason: 'AUTHENTICATION_REQUIRED' });
  });

  it('takes callers without a token for the owner only where that is switched on', () => {
    expect(authenticator({ A2A_ANONYMOUS: 'on' }).authenticate({})).toBe(LOCAL_OWNER);
  });

  it.each([
    ['another secret', () => signed(OWNER, Buffer.alloc(32, 7) as never)],
    ['a subject without roles', () => signed({ ...OWNER, sub: 'mallory' })],
    ['a role that does not exist', () => signed({ ...OWNER, sub: 'mallory', grants: { acme: 'king' } })],
    ['a subject that is no name', () => signed({ ...OWNER, sub: 'Mallory!', grants: { acme: 'viewer' } })],
    ['another issuer', () => signed({ ...OWNER, iss: 'elsewhere' })],
    ['another audience', () => signed({ ...OWNER, aud: 'elsewhere' })],
    ['a past expiry', () => signed({ ...OWNER, exp: 1 })],
    ['no signature', () => Promise.resolve(`${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`)],
    ['no token at all', () => Promise.resolve('')],
  ])('refuses a token with %s', async (_name, make) => {
    const answer = await authenticator().authenticate({ authorization: `Bearer ${await make()}` });
    expect(answer).toMatchObject({ reason: 'INVALID_TOKEN' });
  });

  it('forgets a remembered token when it expires', async () => {
    const subject = authenticator();
    const expiresAt = Math.floor(Date.now() / 1000) + 60;
    const authorization = `Bearer ${await signed({ ...OWNER, exp: expiresAt })}`;
    expect(await subject.authenticate({ authorization })).toMatchObject({ expiresAt });
    now = new Date(expiresAt * 1000);
    expect(await subject.authenticate({ authorization })).toMatchObject({ reason: 'INVALID_TOKEN' });
  });
});

describe('Authorizer', () => {
  const authorizer = new Authorizer();
  const operator: Principal = {
    ...LOCAL_OWNER,
    id: 'u',
    isServerAdmin: false,
    grants: new Map([['acme', 'operator']]),
  };
  const notFound = () => new Error('not found');

  it('makes the local owner owner of every namespace but the reserved ones', () => {
    expect(authorizer.roleIn(LOCAL_OWNER, 'anything')).toBe('owner');
    for (const name of ['system', 'internal', 'admin', 'root']) {
      expect(authorizer.roleIn(LOCAL_OWNER, name)).toBeUndefined();
    }
  });

  it('hides a namespace from those who have no role in it', () => {
    expect(() => authorizer.requireRole(operator, 'other', 'viewer', notFound)).toThrow('not found');
  });

  it('names the role that a member lacks', () => {
    expect(() => authorizer.requireRole(operator, 'acme', 'operator', notFound)).not.toThrow();
    let error: unknown;
    try {
      authorizer.requireRole(operator, 'acme', 'maintainer', notFound);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(AuthorizationError);
    expect(error).toMatchObject({ details: { required_role: 'maintainer', namespace: 'acme' } });
  });
});
