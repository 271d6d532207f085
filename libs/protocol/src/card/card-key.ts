import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { ConfigurationError } from '@cleveragents/kernel';
import { calculateJwkThumbprint, type JWK } from 'jose';

/** A private key that signs agent cards, with what its verifiers must know of it. */
export interface CardKey {
  readonly privateKey: KeyObject;
  readonly alg: string;
  /** RFC 7638 thumbprint: the same on every replica, another after a change of the key. */
  readonly kid: string;
  /** The public half, for a JWK set. */
  readonly publicJwk: JWK;
}

const MIN_RSA_BITS = 2048;

/** Reads the text of a PEM file. Throws ConfigurationError, which never quotes the text, when no card can be signed with it. */
export async function readCardKey(pem: string): Promise<CardKey> {
  const privateKey = parsed(pem);
  const alg = algorithmOf(privateKey);
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' }) as JWK;
  const kid = await calculateJwkThumbprint(jwk);
  return { privateKey, alg, kid, publicJwk: { ...jwk, alg, kid, use: 'sig' } };
}

function parsed(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw unusable('holds no unencrypted private key in PEM form');
  }
}

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject): string {
  if (type === 'ed25519') return 'EdDSA';
  if (type === 'ec' && details.namedCurve === 'prime256v1') return 'ES256';
  if (type !== 'rsa') throw unusable('holds neither a P-256, an Ed25519 nor an RSA key');
  const { modulusLength = 0 } = details;
  if (modulusLength >= MIN_RSA_BITS) return 'RS256';
  throw unusable(`holds an RSA key of less than ${MIN_RSA_BITS} bits`);
}

function unusable(fault: string): ConfigurationError {
  return new ConfigurationError(`The agent card key ${fault}`, { key: 'AGENT_CARD_KEY_FILE' });
}
