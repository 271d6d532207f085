export { APP_CONFIG, type AppConfig } from './app-config.js';
