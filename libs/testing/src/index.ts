export { EmbeddedInstallation, type OwnerFact, type OwnerProcess } from './embedded/embedded-installation.js';
export { TestDatabase } from './test-database.js';
