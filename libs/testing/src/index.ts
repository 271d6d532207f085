export { API_FILES, SampleRepository, type SampleFiles } from './sample-repository.js';
export { EmbeddedInstallation, type OwnerFact, type OwnerProcess } from './embedded/embedded-installation.js';
export { TestDatabase } from './test-database.js';
