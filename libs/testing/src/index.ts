export { mintToken } from './mint-token.js';
export { SampleRepository } from './sample-repository.js';
export { EmbeddedInstallation } from './embedded/embedded-installation.js';
export { TestDatabase } from './test-database.js';
export { makeTestDirectory } from './test-directory.js';
export { ServerProcess, type JsonRpcAnswer } from './server-process.js';
