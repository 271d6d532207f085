import { describe, expect, it } from 'vitest';
import { isLoopbackAddress, isPublicAddress } from './address.js';

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2001:4860:4860::8888', '::ffff:8.8.8.8'])('accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ['this machine', '127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1', '::127.0.0.1', '0.0.0.0', '::'],
    ['private networks', '10.0.0.7', '172.16.0.1', '192.168.1.1', 'fc00::1', 'fec0::1', '::ffff:10.0.0.7'],
    ['carrier-grade networks', '100.64.0.1', '100.100.100.200'],
    ['the link and its metadata services', '169.254.169.254', 'fe80::1', '192.0.0.192', 'fd00:ec2::254'],
    ['a platform’s own service', '168.63.129.16', '::ffff:168.63.129.16'],
    ['groups and broadcast', '224.0.0.1', '255.255.255.255', 'ff02::1'],
    ['documentation and benchmarks', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '2001:db8::1'],
    ['tunnels and translations', '192.88.99.1', '2002:a00:7::', '2001::1', '64:ff9b::a00:7', '::ffff:0:10.0.0.7'],
    ['what nobody has been given', '240.0.0.1', '4000::1', '100::1', '5f00::1', '3fff::1'],
    ['what is no address', '', 'localhost', '8.8.8', '8.8.8.8.8', '::g', '8.8.8.8/32'],
  ])('refuses %s', (_kind, ...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });
});

describe('isLoopbackAddress', () => {
  it('knows this machine in every spelling, and nothing else', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].every(isLoopbackAddress)).toBe(true);
    expect(['0.0.0.0', '::', '10.0.0.1', '8.8.8.8', 'localhost', ''].some(isLoopbackAddress)).toBe(false);
  });
});
