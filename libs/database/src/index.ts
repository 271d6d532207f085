export { connect } from './connect.js';
export { dataSourceOptions } from './data-source-options.js';
export { DatabaseModule } from './database.module.js';
export { DatabaseServer } from './database-server.js';
export { EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded/embedded-postgres.js';
export { migrateServer } from './migrate-server.js';
export { pendingMigrations, runMigrations } from './migrate.js';
export { TransactionManager } from './transaction-manager.js';
