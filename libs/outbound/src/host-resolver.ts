import { Resolver } from 'node:dns/promises';
import { isLoopbackHost } from '@cleveragents/config';

/** Finds the addresses of a host name, so that tests can move them. */
export abstract class HostResolver {
  /** Every address of the name, of both families; rejects or answers none when there is no such name. */
  abstract resolve(hostname: string): Promise<readonly string[]>;
}

/**
 * Asks the name servers directly. The system's own lookup would hold a thread of the process for as long as a name
 * server of the client's choice keeps silent, and a few such names would stop all work with files.
 */
export class DnsResolver extends HostResolver {
  private readonly dns = new Resolver({ timeout: 1500, tries: 2 });

  async resolve(hostname: string): Promise<readonly string[]> {
    if (isLoopbackHost(hostname)) return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([this.dns.resolve4(hostname), this.dns.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }
}
