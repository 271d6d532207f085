import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { JWK } from 'jose';

/** Holds keys whose public halves others need, to verify what this server signs. */
export interface KeySource {
  /** Public keys only, each with `kid` and `alg`. */
  publicKeys(): Promise<readonly JWK[]>;
}

/** Marks a provider as a KeySource. */
export const PublishesKeys = DiscoveryService.createDecorator<Record<string, never>>();

/** The keys of every KeySource of this process: what `/.well-known/jwks.json` shows. */
@Injectable()
export class PublishedKeys {
  constructor(private readonly discovery: DiscoveryService) {}

  async list(): Promise<readonly JWK[]> {
    const sources = this.discovery.getProviders({ metadataKey: PublishesKeys.KEY });
    const keys = await Promise.all(sources.map(({ instance }) => (instance as KeySource).publicKeys()));
    return keys.flat();
  }
}
