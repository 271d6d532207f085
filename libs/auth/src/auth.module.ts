import { Module } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { Clock, SystemClock } from '@cleveragents/kernel';
import { Authorizer } from './authorizer.js';
import { CallerAuthenticator } from './caller-authenticator.js';
import { JwtStrategy } from './jwt.strategy.js';
import { LocalCredentials } from './local-credentials.js';

@Module({
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
  ],
  exports: [LocalCredentials, CallerAuthenticator, Authorizer],
})
export class AuthModule {}
