import { Test } from '@nestjs/testing';
import { ConfigModule, readConfig } from '@cleveragents/config';
import { ValidationError } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { HostResolver } from './host-resolver.js';
import { OutboundGuard } from './outbound-guard.js';
import { OutboundModule } from './outbound.module.js';

class NoNames extends HostResolver {
  resolve(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }
}

async function guardWith(variables: Record<string, string>): Promise<OutboundGuard> {
  const config = readConfig({ variables, workingDirectory: '/', isTerminal: false });
  const module = await Test.createTestingModule({ imports: [ConfigModule.forRoot(config), OutboundModule] })
    .overrideProvider(HostResolver)
    .useClass(NoNames)
    .compile();
  return module.get(OutboundGuard);
}

describe('OutboundModule', () => {
  it('demands HTTPS and a public address by default', async () => {
    const guard = await guardWith({});
    await expect(guard.checkUrl('http://93.184.216.34/', 'url')).rejects.toBeInstanceOf(ValidationError);
    await expect(guard.checkUrl('https://127.0.0.1/', 'url')).rejects.toBeInstanceOf(ValidationError);
    await expect(guard.checkUrl('https://nowhere.test/', 'url')).rejects.toBeInstanceOf(ValidationError);
    await expect(guard.checkUrl('https://93.184.216.34/', 'url')).resolves.toBeUndefined();
  });

  it('allows this machine, plain HTTP and unknown names when PUSH_ALLOW_LOOPBACK is on', async () => {
    const guard = await guardWith({ PUSH_ALLOW_LOOPBACK: 'on' });
    await expect(guard.checkUrl('http://127.0.0.1:9999/', 'url')).resolves.toBeUndefined();
    await expect(guard.checkUrl('https://nowhere.test/', 'url')).resolves.toBeUndefined();
  });
});
