export { API_FILES, SampleRepository, type SampleFiles } from './sample-repository.js';
export { TestDatabase } from './test-database.js';
