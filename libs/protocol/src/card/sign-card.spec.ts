import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { ConfigurationError, type JsonValue } from '@cleveragents/kernel';
import { canonicalizeAgentCard, verifyAgentCardSignature, type AgentCard as SdkAgentCard } from 'a2a-sdk-1';
import * as fc from 'fast-check';
import { decodeProtectedHeader } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import type { AgentCard } from './agent-card.js';
import { buildCard10 } from './build-card.js';
import { canonicalCard } from './canonical-card.js';
import { readCardKey, type CardKey } from './card-key.js';
import { signCard } from './sign-card.js';
import { SKILL_IDS } from './skills.js';
import { supersetOf } from './superset-card.js';

const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const ecKey = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey;
const rsaKey = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength }).privateKey;
/** Made once: it takes time. */
const RSA = rsaKey(2048);

const card = buildCard10({
  baseUrl: 'https://agents.example.test',
  version: '1.0',
  streaming: true,
  pushNotifications: false,
  extendedCard: true,
  extensionRequired: false,
  skills: SKILL_IDS,
  oidcIssuer: 'https://id.example.test',
});

/** A card as a reader gets it: as JSON, of which the official SDK makes its own type. */
const served = (document: object) => JSON.parse(JSON.stringify(document)) as SdkAgentCard;

const verifier = (key: CardKey) => verifyAgentCardSignature(() => Promise.resolve(key.publicJwk));

describe('a signed card', () => {
  it.each([
    ['ES256', ecKey('prime256v1')],
    ['RS256', RSA],
    ['EdDSA', generateKeyPairSync('ed25519').privateKey],
  ])('is verified by the official SDK, pure and as superset, with %s', async (alg, privateKey) => {
    const key = await readCardKey(pemOf(privateKey));
    const signed = await signCard(card, key);
    expect(decodeProtectedHeader(signed.signatures?.[0] ?? {})).toEqual({ alg, kid: key.kid, typ: 'JOSE' });
    await expect(verifier(key)(served(signed))).resolves.toBeUndefined();
    await expect(verifier(key)(served(supersetOf(signed)))).resolves.toBeUndefined();
  });

  it('is refused by the official SDK once anything in it was changed', async () => {
    vi.spyOn(console, 'debug').mockReturnValue(undefined);
    const key = await readCardKey(pemOf(ecKey('prime256v1')));
    const signed = await signCard(card, key);
    const [skill, ...skills] = signed.skills;
    const forged = { ...signed, skills: [{ ...skill, name: 'Another' }, ...skills] };
    await expect(verifier(key)(served(forged))).rejects.toThrow('No valid signatures');
    await expect(verifier(key)(served(supersetOf(forged as AgentCard)))).rejects.toThrow('No valid signatures');
  });

  it('keeps the signature of another key, of which each verifies it', async () => {
    vi.spyOn(console, 'debug').mockReturnValue(undefined);
    const [old, next] = [await readCardKey(pemOf(ecKey('prime256v1'))), await readCardKey(pemOf(RSA))];
    const signed = await signCard(await signCard(card, old), next);
    expect(signed.signatures).toHaveLength(2);
    for (const key of [old, next]) await expect(verifier(key)(served(signed))).resolves.toBeUndefined();
  });

  it('says where its key is found', async () => {
    const key = await readCardKey(pemOf(ecKey('prime256v1')));
    const url = 'https://agents.example.test/.well-known/jwks.json';
    const { signatures } = await signCard(card, key, url);
    expect(decodeProtectedHeader(signatures?.[0] ?? {})).toMatchObject({ jku: url });
  });

  it('changes nothing else of the card', async () => {
    const { signatures, ...rest } = await signCard(card, await readCardKey(pemOf(ecKey('prime256v1'))));
    expect(signatures).toHaveLength(1);
    expect(rest).toEqual(card);
  });
});

describe('canonicalCard', () => {
  it('is the text that the official SDK verifies, for any content', () => {
    const text = fc.string({ unit: 'binary' });
    const texts = fc.array(text, { maxLength: 2 });
    const skill = fc.record({
      id: text,
      name: text,
      description: text,
      tags: texts,
      examples: texts,
      inputModes: texts,
      outputModes: texts,
    });
    const params = fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), fc.oneof(text, texts, fc.integer(), fc.boolean()));
    const extension = fc.record({ uri: text, description: text, required: fc.boolean(), params });
    const capabilities = fc.record({
      streaming: fc.boolean(),
      pushNotifications: fc.boolean(),
      extendedAgentCard: fc.boolean(),
      extensions: fc.array(extension, { maxLength: 2 }),
    });
    const content = { name: text, skills: fc.array(skill, { maxLength: 2 }), capabilities, defaultInputModes: texts };
    fc.assert(
      fc.property(fc.record(content), (changes) => {
        const changed: AgentCard = { ...card, ...changes };
        expect(canonicalCard(changed)).toBe(canonicalizeAgentCard(served(changed)));
      }),
    );
  });
});

describe('readCardKey', () => {
  it('names a key by its thumbprint and shows only its public half', async () => {
    const privateKey = ecKey('prime256v1');
    const key = await readCardKey(pemOf(privateKey));
    const { x, y } = createPublicKey(privateKey).export({ format: 'jwk' });
    expect(key.publicJwk).toEqual({ kty: 'EC', crv: 'P-256', x, y, alg: 'ES256', kid: key.kid, use: 'sig' });
    expect((await readCardKey(pemOf(privateKey))).kid).toBe(key.kid);
    expect((await readCardKey(pemOf(ecKey('prime256v1')))).kid).not.toBe(key.kid);
  });

  it('reads the older PEM forms of one algorithm', async () => {
    const sec1 = ecKey('prime256v1').export({ type: 'sec1', format: 'pem' }).toString();
    const pkcs1 = RSA.export({ type: 'pkcs1', format: 'pem' }).toString();
    expect((await readCardKey(sec1)).alg).toBe('ES256');
    expect((await readCardKey(pkcs1)).alg).toBe('RS256');
  });

  const encrypted = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' } as const;
  it.each<[string, string]>([
    ['', 'no unencrypted private key'],
    ['not a key', 'no unencrypted private key'],
    [
      createPublicKey(ecKey('prime256v1')).export({ type: 'spki', format: 'pem' }).toString(),
      'no unencrypted private key',
    ],
    [ecKey('prime256v1').export(encrypted).toString(), 'no unencrypted private key'],
    [pemOf(ecKey('secp384r1')), 'neither a P-256, an Ed25519 nor an RSA key'],
    [pemOf(generateKeyPairSync('x25519').privateKey), 'neither a P-256, an Ed25519 nor an RSA key'],
    [pemOf(rsaKey(1024)), 'less than 2048 bits'],
  ])('refuses what cannot sign a card, case %#', async (pem, fault) => {
    const refusal = readCardKey(pem);
    await expect(refusal).rejects.toBeInstanceOf(ConfigurationError);
    await expect(refusal).rejects.toThrow(fault);
    await expect(refusal).rejects.toMatchObject({ details: { key: 'AGENT_CARD_KEY_FILE' } satisfies JsonValue });
  });
});
