export { APP_CONFIG, type AppConfig, type S3Config } from './app-config.js';
export { ConfigModule } from './config.module.js';
export { loadConfig } from './load-config.js';
export { isLoopbackHost } from './loopback.js';
export { PRODUCT_VERSION } from './product-version.js';
export { readConfig, variableNames } from './read-config.js';
export { ServerAddress } from './server-address.js';
