import { Global, Module, type DynamicModule } from '@nestjs/common';
import { AppLogger } from './app-logger.js';

/** Global: a log line may be due anywhere, and writing one changes nothing. */
@Global()
@Module({})
export class LoggingModule {
  /** The logger exists before the application does, so that its start is logged as well. */
  static forRoot(logger: AppLogger): DynamicModule {
    return { module: LoggingModule, providers: [{ provide: AppLogger, useValue: logger }], exports: [AppLogger] };
  }
}
