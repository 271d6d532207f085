import { isIP } from 'node:net';
import { ValidationError } from '@cleveragents/kernel';
import { isLoopbackAddress, isPublicAddress } from './address.js';
import type { HostResolver } from './host-resolver.js';

export interface OutboundPolicy {
  readonly requireHttps: boolean;
  /** Tests only: this machine may be called, and a name may be given before it resolves. */
  readonly allowLoopback: boolean;
}

/** One text for all of them: a caller must not learn which names exist inside, nor where they lead. */
const ADDRESS_PROBLEM = 'must name a public address that resolves';

/** Decides which addresses of others' choosing this server calls: those of the public internet. */
export class OutboundGuard {
  constructor(
    private readonly policy: OutboundPolicy,
    private readonly resolver: HostResolver,
  ) {}

  /** Refuses a URL that would not be called, blaming the parameter at `path`. */
  async checkUrl(url: string, path: string): Promise<void> {
    const problem = this.formProblem(url) ?? (await this.hostProblem(new URL(url).hostname));
    if (problem !== null) throw ValidationError.of(path, problem);
  }

  /** What is wrong with the URL as it is written, or null. */
  formProblem(text: string): string | null {
    const protocols = this.policy.requireHttps ? ['https:'] : ['https:', 'http:'];
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || !protocols.includes(url.protocol)) {
      return `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
    }
    return url.username === '' && url.password === '' ? null : 'must not hold credentials';
  }

  /** The addresses to connect to; none if the name has none or a single one of them is not allowed. */
  async allowedAddresses(hostname: string): Promise<readonly string[]> {
    const addresses = await this.resolve(hostname);
    return addresses.every((address) => this.allows(address)) ? addresses : [];
  }

  allows(address: string): boolean {
    return isPublicAddress(address) || (this.policy.allowLoopback && isLoopbackAddress(address));
  }

  private async hostProblem(hostname: string): Promise<string | null> {
    const addresses = await this.resolve(hostname);
    if (addresses.length === 0) return this.policy.allowLoopback ? null : ADDRESS_PROBLEM;
    return addresses.every((address) => this.allows(address)) ? null : ADDRESS_PROBLEM;
  }

  private async resolve(hostname: string): Promise<readonly string[]> {
    const bare = hostname.replace(/^\[|\]$/g, '');
    if (isIP(bare) !== 0) return [bare];
    return this.resolver.resolve(bare).catch(() => []);
  }
}
