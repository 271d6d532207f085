import { Global, Module, type DynamicModule } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from './app-config.js';
import { ServerAddress } from './server-address.js';

/** Global: every layer may need a setting, and nothing here has behaviour that could couple them. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: AppConfig): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: APP_CONFIG, useValue: config }, ServerAddress],
      exports: [APP_CONFIG, ServerAddress],
    };
  }
}
