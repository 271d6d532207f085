export { TestDatabase } from './test-database.js';
