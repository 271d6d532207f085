import { describe, expect, it } from 'vitest';
import { DnsResolver } from './host-resolver.js';

describe('DnsResolver', () => {
  it.each(['localhost', 'LOCALHOST', 'a.localhost'])('knows that %s is this machine without asking', async (name) => {
    expect(await new DnsResolver().resolve(name)).toEqual(['127.0.0.1', '::1']);
  });
});
