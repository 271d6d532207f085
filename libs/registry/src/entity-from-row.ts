import { formatName } from '@cleveragents/namespace';
import type { EntityKind } from './domain/entity-kind.js';
import type { RegistryEntity, SpecOf } from './domain/registry-entity.js';
import type { RegistryEntityRow } from './registry.entity.js';

/** What was stored passed the checks of its kind when it was written. */
export function entityFromRow<K extends EntityKind>(kind: K, row: RegistryEntityRow): RegistryEntity<K> {
  return {
    id: row.id,
    kind,
    name: formatName(row),
    namespace: row.namespace,
    revision: row.revision,
    contentHash: row.contentHash,
    spec: JSON.parse(row.spec) as SpecOf<K>,
    source: 'custom',
    visibility: row.visibility,
    createdBy: row.createdBy,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
