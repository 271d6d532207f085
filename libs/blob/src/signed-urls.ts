import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Clock } from '@cleveragents/kernel';
import { blobNotFound } from './blob-store.js';

/** The query of a signed URL, as it arrived. */
export interface SignedQuery {
  readonly expires?: unknown;
  readonly sig?: unknown;
}

const EXPIRES = /^\d{1,12}$/;

/** URLs that open one blob for a while, to whoever holds them. */
export class SignedUrls {
  constructor(
    private readonly key: KeyObject,
    private readonly clock: Clock,
  ) {}

  /** Path and query, to be put behind the address of this server. */
  make(blobKey: string, { expiresInS }: { readonly expiresInS: number }): string {
    const location = locationOf(blobKey, String(this.nowInS() + expiresInS));
    return `${location}&sig=${this.signatureOf(location)}`;
  }

  /** For how many more seconds the URL is good; a forged and an expired one both do not exist. */
  verify(blobKey: string, { expires, sig }: SignedQuery): number {
    if (typeof expires !== 'string' || typeof sig !== 'string' || !EXPIRES.test(expires)) throw blobNotFound();
    const isGenuine = isSame(sig, this.signatureOf(locationOf(blobKey, expires)));
    const remainingS = Number(expires) - this.nowInS();
    if (!isGenuine || remainingS <= 0) throw blobNotFound();
    return remainingS;
  }

  private signatureOf(location: string): string {
    return createHmac('sha256', this.key).update(location).digest('base64url');
  }

  private nowInS(): number {
    return Math.floor(this.clock.now().getTime() / 1000);
  }
}

function locationOf(blobKey: string, expires: string): string {
  return `/blobs/${blobKey}?expires=${expires}`;
}

/** Takes the same time wherever the two differ, so that a signature cannot be guessed piece by piece. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
