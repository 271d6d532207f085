import { BusinessRuleViolation, DuplicateEntityError } from '@cleveragents/kernel';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/** The five-character SQLSTATE of a PostgreSQL error, as pg or TypeORM throws it. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const source = 'driverError' in error && error.driverError instanceof Error ? error.driverError : error;
  return 'code' in source && typeof source.code === 'string' ? source.code : undefined;
}

/** The transaction was a victim of concurrency: the same work may succeed when it is done again. */
export function isTransient(error: unknown): boolean {
  const state = sqlState(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED;
}

/**
 * Gives a constraint violation its domain meaning; any other error is returned as it is. This is the safety net under
 * the services' own checks, so it names no table, column or value; the original is kept as the cause.
 */
export function translatePgError(error: unknown): unknown {
  switch (sqlState(error)) {
    case UNIQUE_VIOLATION:
      return new DuplicateEntityError('It exists already', {}, { cause: error });
    case FOREIGN_KEY_VIOLATION:
      return new BusinessRuleViolation(
        'It refers to something that does not exist, or is still in use',
        {},
        {
          cause: error,
        },
      );
    default:
      return error;
  }
}
