import type { DataSourceOptions } from 'typeorm';
import { MIGRATIONS } from '../../../migrations/index.js';

const POOL_SIZE = 20;

/** How every part of the project connects; entities are added by whoever knows them. */
export function dataSourceOptions(url: string): DataSourceOptions & { readonly type: 'postgres' } {
  return {
    type: 'postgres',
    url,
    applicationName: 'cleveragents',
    poolSize: POOL_SIZE,
    connectTimeoutMS: 10_000,
    installExtensions: false,
    synchronize: false,
    migrations: [...MIGRATIONS],
    migrationsTransactionMode: 'each',
  };
}
