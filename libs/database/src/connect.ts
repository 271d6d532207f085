import { ConfigurationError } from '@cleveragents/kernel';
import { DataSource, type DataSourceOptions } from 'typeorm';

/** Opens a data source; a server that cannot be reached or refuses is a fault of the setting, told in one line. */
export async function connect(options: DataSourceOptions): Promise<DataSource> {
  const dataSource = new DataSource(options);
  try {
    return await dataSource.initialize();
  } catch (error) {
    if (!isConnectionFailure(error)) throw error;
    throw new ConfigurationError(`The database of DATABASE_URL cannot be used: ${reasonOf(error)}`, {
      key: 'DATABASE_URL',
    });
  }
}

/** Network failures, refused credentials (28…), unknown database (3D000), and a server that is not ready (57P03). */
function isConnectionFailure(error: unknown): error is Error & { code: string } {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return /^(E[A-Z_]{4,}|28.{3}|3D000|57P03|53300)$/.test(error.code);
}

/** A name with several addresses fails with an AggregateError, whose own message is empty. */
function reasonOf(error: Error & { code: string }): string {
  return error.message === '' ? error.code : error.message;
}
