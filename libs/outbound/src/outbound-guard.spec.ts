import { ValidationError } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { HostResolver } from './host-resolver.js';
import { OutboundGuard } from './outbound-guard.js';

class FixedNames extends HostResolver {
  private readonly names: Readonly<Record<string, readonly string[]>> = {
    'ok.test': ['93.184.216.34', '2606:2800:220:1::1'],
    'in.test': ['10.0.0.7'],
    'half.test': ['93.184.216.34', '10.0.0.7'],
    'half6.test': ['93.184.216.34', '::1'],
    'empty.test': [],
    localhost: ['127.0.0.1', '::1'],
    'localhost.': ['127.0.0.1'],
    'metadata.google.internal': ['169.254.169.254'],
  };

  resolve(hostname: string): Promise<readonly string[]> {
    const addresses = this.names[hostname];
    return addresses === undefined ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve(addresses);
  }
}

const production = new OutboundGuard({ requireHttps: true, allowLoopback: false }, new FixedNames());
const forTests = new OutboundGuard({ requireHttps: false, allowLoopback: true }, new FixedNames());

async function problemOf(guard: OutboundGuard, url: string): Promise<string | null> {
  const refusal: unknown = await guard.checkUrl(url, 'config.url').then(
    () => null,
    (error: unknown) => error,
  );
  if (refusal === null) return null;
  expect(refusal).toBeInstanceOf(ValidationError);
  const [problem] = (refusal as ValidationError).problems;
  expect(problem?.path).toBe('config.url');
  return problem?.message ?? '';
}

const ADDRESS_PROBLEM = 'must name a public address that resolves';

describe('OutboundGuard', () => {
  it.each(['https://ok.test/h', 'https://ok.test:8443/h?x=1#f', 'HTTPS://OK.TEST', 'https://93.184.216.34/'])(
    'accepts %s',
    async (url) => {
      expect(await problemOf(production, url)).toBeNull();
    },
  );

  it.each([
    'http://ok.test/h',
    'file:///etc/passwd',
    'ftp://ok.test/',
    'javascript:alert(1)',
    'data:text/plain,x',
    'ok.test/h',
    '',
    'https://',
    'https://[::1%25eth0]/',
  ])('R23: refuses %j, which is no https URL', async (url) => {
    expect(await problemOf(production, url)).toBe('must be a URL that starts with https://');
  });

  it.each(['https://user:pw@ok.test/h', 'https://user@ok.test/h', 'https://:pw@ok.test/h'])(
    'R23: refuses the credentials in %s and does not repeat them',
    async (url) => {
      expect(await problemOf(production, url)).toBe('must not hold credentials');
    },
  );

  it.each([
    'https://127.0.0.1/h',
    'https://127.1/h',
    'https://127.0.0.1./h',
    'https://2130706433/h',
    'https://0x7f.1/h',
    'https://0177.0.0.1/h',
    'https://0/h',
    'https://[::1]/h',
    'https://[::]/h',
    'https://[::ffff:10.0.0.7]/h',
    'https://[::ffff:a00:7]/h',
    'https://[64:ff9b::a00:7]/h',
    'https://10.0.0.7/h',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.64.0.1/h',
    'https://１２７.0.0.1/h',
    'https://localhost/h',
    'https://LOCALHOST/h',
    'https://localhost./h',
    'https://in.test/h',
    'https://half.test/h',
    'https://half6.test/h',
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://empty.test/h',
    'https://nowhere.test/h',
  ])('R23: refuses %s in the same words, be it private or without an address', async (url) => {
    expect(await problemOf(production, url)).toBe(ADDRESS_PROBLEM);
  });

  it('gives no address of a name that has one forbidden address', async () => {
    expect(await production.allowedAddresses('ok.test')).toHaveLength(2);
    expect(await production.allowedAddresses('half.test')).toEqual([]);
    expect(await production.allowedAddresses('nowhere.test')).toEqual([]);
  });

  describe('with the allowance of tests', () => {
    it.each([
      'http://localhost:9999/h',
      'http://127.0.0.1:9999/h',
      'http://[::1]:9999/h',
      'http://ok.test/h',
      'https://nowhere.test/h',
      'https://empty.test/h',
    ])('accepts %s', async (url) => {
      expect(await problemOf(forTests, url)).toBeNull();
    });

    it.each([
      'http://10.0.0.7/h',
      'http://in.test/h',
      'http://169.254.169.254/',
      'http://0.0.0.0/',
      'http://half.test/',
    ])('still refuses %s', async (url) => {
      expect(await problemOf(forTests, url)).toBe(ADDRESS_PROBLEM);
    });

    it('still refuses other schemes and credentials', async () => {
      expect(await problemOf(forTests, 'file:///etc/passwd')).toBe(
        'must be a URL that starts with https:// or http://',
      );
      expect(await problemOf(forTests, 'http://u:p@localhost/')).toBe('must not hold credentials');
    });
  });
});
