import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EntityKind } from './domain/entity-kind.js';

/** One field of an entity that names another entity. */
@Entity({ name: 'registry_reference' })
@Index('registry_reference_target', ['targetKind', 'targetName'])
export class RegistryReferenceRow {
  @PrimaryColumn({ name: 'source_id', type: 'text', primaryKeyConstraintName: 'registry_reference_pkey' })
  sourceId: string;

  /** Dotted path of the field, such as `steps.0.tool`. */
  @PrimaryColumn({ name: 'path', type: 'text', primaryKeyConstraintName: 'registry_reference_pkey' })
  path: string;

  @Column({ name: 'target_kind', type: 'text' })
  targetKind: EntityKind;

  /** Canonical. */
  @Column({ name: 'target_name', type: 'text' })
  targetName: string;
}
