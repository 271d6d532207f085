import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTestDirectory } from '@cleveragents/testing';
import { verifyAgentCardSignature, type AgentCard } from 'a2a-sdk-1';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestServer } from './test-server.js';

const PUBLIC_PATHS = [
  '/.well-known/agent-card.json',
  '/.well-known/agent.json',
  '/v1/.well-known/agent-card.json',
] as const;
const EXTENDED_PATHS = ['/extendedAgentCard', '/v1/card', '/agent/authenticatedExtendedCard'];

let directory: string;
let keyFile: string;
let server: TestServer;

beforeAll(async () => {
  directory = await makeTestDirectory();
  keyFile = join(directory, 'card-key.pem');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  server = await TestServer.start({ AGENT_CARD_KEY_FILE: keyFile, AGENT_CARD_AUTH: 'required' });
});

afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true });
});

const read = async (path: string): Promise<AgentCard> => {
  const response = await server.get(path, { authorization: `Bearer ${server.token}` });
  expect(response.status).toBe(200);
  return (await response.json()) as AgentCard;
};

/** As a client does it: the key comes from where the signature says. */
async function verify(card: unknown): Promise<void> {
  const findKey = async (kid: string, jku?: string) => {
    const { keys } = (await (await fetch(jku ?? '')).json()) as { keys: (JsonWebKey & { kid: string })[] };
    return keys.find((key) => key.kid === kid) as never;
  };
  await verifyAgentCardSignature(findKey)(card as AgentCard);
}

describe('with AGENT_CARD_KEY_FILE', () => {
  it.each([...PUBLIC_PATHS, ...EXTENDED_PATHS])(
    'the card at %s is signed, and the official SDK verifies it',
    async (path) => {
      const card = await read(path);
      expect(card.signatures).toHaveLength(1);
      await expect(verify(card)).resolves.toBeUndefined();
    },
  );

  it.each(['GetExtendedAgentCard', 'agent/getAuthenticatedExtendedCard'])(
    'the answer of %s is signed too',
    async (method) => {
      const { result } = await server.call(method);
      await expect(verify(result)).resolves.toBeUndefined();
    },
  );

  it('is signed once per content, not once per request', async () => {
    for (const path of [...PUBLIC_PATHS, ...EXTENDED_PATHS]) {
      expect((await read(path)).signatures).toEqual((await read(path)).signatures);
    }
  });

  it('publishes the public key without a token, and only that half', async () => {
    const response = await server.get('/.well-known/jwks.json');
    expect(response.status).toBe(200);
    const { keys } = (await response.json()) as { keys: JsonWebKey[] };
    expect(keys).toContainEqual(expect.objectContaining({ kty: 'EC', alg: 'ES256', use: 'sig' }));
    for (const key of keys) expect(key).not.toHaveProperty('d');
  });

  it('has the same tag on every replica', async () => {
    const environment = { AGENT_CARD_KEY_FILE: keyFile, PUBLIC_BASE_URL: 'https://agents.example.test' };
    const replicas = [await TestServer.start(environment), await TestServer.start(environment)];
    const tags = await Promise.all(
      replicas.map(async (replica) => (await replica.get(PUBLIC_PATHS[0])).headers.get('etag')),
    );
    expect(tags[0]).toMatch(/^"/);
    expect(tags[0]).toBe(tags[1]);
    for (const replica of replicas) await replica.stop();
  });

  it.each([
    ['is missing', 'missing.pem', null],
    ['holds no key', 'broken.pem', 'no key'],
  ])('the server does not start when the file %s', async (_what, name, content) => {
    const file = join(directory, name);
    if (content !== null) await writeFile(file, content);
    await expect(TestServer.start({ AGENT_CARD_KEY_FILE: file })).rejects.toMatchObject({
      name: 'ConfigurationError',
      details: { key: 'AGENT_CARD_KEY_FILE' },
    });
  });
});

describe('without it', () => {
  it('cards are not signed, and no key for them is published', async () => {
    const plain = await TestServer.start();
    expect(await (await plain.get(PUBLIC_PATHS[0])).json()).not.toHaveProperty('signatures');
    const { keys } = (await (await plain.get('/.well-known/jwks.json')).json()) as { keys: JsonWebKey[] };
    expect(keys.map(({ kty }) => kty)).not.toContain('EC');
    await plain.stop();
  });
});
