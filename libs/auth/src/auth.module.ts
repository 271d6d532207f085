import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { Clock, SystemClock } from '@cleveragents/kernel';
import { Authorizer } from './authorizer.js';
import { CallerAuthenticator } from './caller-authenticator.js';
import { JwtStrategy } from './jwt.strategy.js';
import { LocalCredentials } from './local-credentials.js';
import { PublishedKeys } from './published-keys.js';

@Module({
  imports: [DiscoveryModule],
  providers: [
    {
      provide: LocalCredentials,
      useFactory: (config: AppConfig) => LocalCredentials.open(config.dataDir),
      inject: [APP_CONFIG],
    },
    { provide: Clock, useClass: SystemClock },
    JwtStrategy,
    CallerAuthenticator,
    Authorizer,
    PublishedKeys,
  ],
  exports: [LocalCredentials, CallerAuthenticator, Authorizer, PublishedKeys],
})
export class AuthModule {}
