import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { APP_CONFIG } from '@cleveragents/config';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { connect } from './connect.js';
import { dataSourceOptions } from './data-source-options.js';
import { DatabaseServer } from './database-server.js';
import { ensureSchema } from './schema-gate.js';
import { TransactionManager } from './transaction-manager.js';

/** A module of its own, so that PostgreSQL ends after the data source whose module imports this one. */
@Module({
  providers: [{ provide: DatabaseServer, inject: [APP_CONFIG], useFactory: DatabaseServer.open }],
  exports: [DatabaseServer],
})
class DatabaseServerModule {}

/** Nothing gets hold of the database before its schema is right. */
async function openTransactionManager(dataSource: DataSource, server: DatabaseServer): Promise<TransactionManager> {
  try {
    await ensureSchema(dataSource, server);
    return new TransactionManager(dataSource);
  } catch (error) {
    // No shutdown hook runs for an application that does not come up.
    await dataSource.destroy();
    await server.onApplicationShutdown();
    throw error;
  }
}

/** Needs APP_CONFIG from a global module. Entities are those of every `TypeOrmModule.forFeature`. */
@Global()
@Module({
  imports: [
    DatabaseServerModule,
    TypeOrmModule.forRootAsync({
      imports: [DatabaseServerModule],
      inject: [DatabaseServer],
      useFactory: (server: DatabaseServer) => ({
        ...dataSourceOptions(server.url),
        autoLoadEntities: true,
        toRetry: () => false,
      }),
      dataSourceFactory: (options) => connect(options as DataSourceOptions),
    }),
  ],
  providers: [
    { provide: TransactionManager, inject: [DataSource, DatabaseServer], useFactory: openTransactionManager },
  ],
  exports: [DatabaseServerModule, TransactionManager],
})
export class DatabaseModule {}
