export { AppLogger, type CallLine, type LogLevel } from './app-logger.js';
export { correlationIdFrom } from './correlation-id.js';
export { createLogger } from './create-logger.js';
export { LoggingModule } from './logging.module.js';
