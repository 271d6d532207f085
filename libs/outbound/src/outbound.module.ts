import { Module } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { DnsResolver, HostResolver } from './host-resolver.js';
import { OutboundClient } from './outbound-client.js';
import { OutboundGuard } from './outbound-guard.js';

@Module({
  providers: [
    { provide: HostResolver, useClass: DnsResolver },
    {
      provide: OutboundGuard,
      useFactory: ({ push: { allowLoopback } }: AppConfig, resolver: HostResolver) =>
        new OutboundGuard({ requireHttps: !allowLoopback, allowLoopback }, resolver),
      inject: [APP_CONFIG, HostResolver],
    },
    OutboundClient,
  ],
  exports: [OutboundGuard, OutboundClient],
})
export class OutboundModule {}
