import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A cloud platform's own service at every virtual machine; unlike its siblings it lies in no reserved range. */
const PLATFORM_SERVICE = '168.63.129.16';

/** All of IPv6 that has ever been given out to the public. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is one machine of the public internet: not private, carrier-grade, link-local, documentation,
 * multicast, a tunnel or a translation. An IPv4 address written as IPv6 counts as what it stands for.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv6 ? address.match(GLOBAL_IPV6) : address.toString() !== PLATFORM_SERVICE;
}

export function isLoopbackAddress(text: string): boolean {
  return isIP(text) !== 0 && ipaddr.process(text).range() === 'loopback';
}
