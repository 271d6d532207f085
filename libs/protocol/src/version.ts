import { A2aOperationNotFoundError, A2aVersionMismatchError } from '@cleveragents/kernel';
import { SUPPORTED_DIALECTS, type Dialect } from './dialect.js';
import { findOperationName, nameIn, type OperationName } from './operations.js';

export interface VersionRequest {
  /** The `A2A-Version` header. */
  readonly header?: string | undefined;
  /** The `A2A-Version` query parameter; looked at when the header is absent or empty. */
  readonly query?: string | undefined;
  /** Method name as the caller wrote it. */
  readonly method: string;
  /** `_cleveragents/*` and the deprecated ACP names: they exist in every version. */
  readonly isPlatformMethod: boolean;
}

export interface Negotiation {
  readonly dialect: Dialect;
  /** Major.Minor that the caller stated, for the echo in the answer; null when it stated none. */
  readonly stated: string | null;
  /**
   * The name exists in 0.1 and in 0.3 and no version was stated: a task that was born in 0.1 is answered in 0.1,
   * any other in `dialect`.
   */
  readonly dialectDependsOnTask: boolean;
}

/** 0.2 has the wire form of 0.3. */
const DIALECT_BY_VERSION: ReadonlyMap<string, Dialect> = new Map([
  ['0.1', '0.1'],
  ['0.2', '0.3'],
  ['0.3', '0.3'],
  ['1.0', '1.0'],
]);

/** Patch numbers take no part in negotiation (A2A 1.0 §3.6). Leading zeros and suffixes are no version. */
const VERSION = /^((?:0|[1-9]\d{0,5})\.(?:0|[1-9]\d{0,5}))(?:\.\d{1,9})?$/;

/**
 * Decides, before dispatch, in which generation a caller is answered.
 * Throws A2aVersionMismatchError for a version that is not spoken here, and A2aOperationNotFoundError when the method
 * name does not belong to the stated version.
 */
export function negotiate(request: VersionRequest): Negotiation {
  const stated = statedVersion(request);
  const spoken = stated === null ? undefined : DIALECT_BY_VERSION.get(stated);
  const entry = request.isPlatformMethod ? undefined : findOperationName(request.method);
  if (entry === undefined) return { dialect: spoken ?? '0.3', stated, dialectDependsOnTask: false };
  refuseContradiction(entry, spoken, stated);
  return {
    dialect: dialectOf(entry, spoken),
    stated,
    dialectDependsOnTask: entry.isSharedWith01 && stated === null,
  };
}

function statedVersion({ header, query, isPlatformMethod }: VersionRequest): string | null {
  const requested = header?.trim() || query?.trim();
  return requested ? majorMinor(requested, isPlatformMethod) : null;
}

function majorMinor(requested: string, isPlatformMethod: boolean): string {
  const version = VERSION.exec(requested)?.[1];
  if (version !== undefined && DIALECT_BY_VERSION.has(version)) return version;
  throw new A2aVersionMismatchError(
    'A2A version not supported',
    { requested: requested.slice(0, 64), supported: [...SUPPORTED_DIALECTS] },
    { reason: isPlatformMethod ? 'VERSION_MISMATCH' : 'VERSION_NOT_SUPPORTED' },
  );
}

/** The payload has the shape that the name implies; only the shared and the reference's names follow the version. */
function dialectOf(entry: OperationName, spoken: Dialect | undefined): Dialect {
  if (entry.grammar === 'reference' || entry.isSharedWith01) return spoken ?? '0.3';
  return entry.grammar;
}

function refuseContradiction(entry: OperationName, spoken: Dialect | undefined, stated: string | null): void {
  if (spoken === undefined || stated === null || entry.grammar === 'reference') return;
  if ((entry.grammar === '1.0') === (spoken === '1.0')) return;
  const name = nameIn(spoken, entry.operation) ?? nameIn('reference', entry.operation);
  const other = entry.grammar === '1.0' ? '1.0' : entry.grammar;
  const hints = [...(name === undefined ? [] : [`call ${name}`]), `state A2A-Version: ${other}`];
  throw new A2aOperationNotFoundError(`Method ${entry.name} does not belong to A2A ${stated}`, {
    method: entry.name,
    version: stated,
    hint: hints.join(', or '),
  });
}
