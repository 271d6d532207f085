export { AuthModule } from './auth.module.js';
export { Authorizer, isReservedNamespace } from './authorizer.js';
export { CallerAuthenticator } from './caller-authenticator.js';
export { LocalCredentials } from './local-credentials.js';
export { PublishedKeys, PublishesKeys, type KeySource } from './published-keys.js';
export { LOCAL_OWNER } from './local-owner.js';
