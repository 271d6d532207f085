import type { EntityKind } from './entity-kind.js';

/** A field of a spec that names another entity. */
export interface EntityReference {
  /** Dotted path of the field. */
  readonly path: string;
  readonly kind: EntityKind;
  /** Canonical. */
  readonly name: string;
  /**
   * What the one who writes the reference must be where the target lives: `viewer` to use it, `maintainer` when the
   * reference decides what plans do to it.
   */
  readonly role: 'viewer' | 'maintainer';
  /** A read-only target needs no more than `viewer`. */
  readonly isForWriting?: true;
}

export function referenceTo(kind: EntityKind, name: string | undefined, path: string): EntityReference[] {
  return name === undefined ? [] : [{ kind, name, path, role: 'viewer' }];
}
