import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EntityKind, Visibility } from './domain/entity-kind.js';

/** The current revision of a registered entity. */
@Entity({ name: 'registry_entity' })
@Index('registry_entity_list', ['kind', 'namespace', 'name'])
@Index('registry_entity_name', { synchronize: false })
export class RegistryEntityRow {
  @PrimaryColumn({ name: 'id', type: 'text', primaryKeyConstraintName: 'registry_entity_pkey' })
  id: string;

  @Column({ name: 'kind', type: 'text' })
  kind: EntityKind;

  @Column({ name: 'namespace', type: 'text' })
  namespace: string;

  @Column({ name: 'name', type: 'text' })
  name: string;

  /** JSON text. */
  @Column({ name: 'spec', type: 'text' })
  spec: string;

  /** The plain fields of the spec that lists filter by. */
  @Column({ name: 'facets', type: 'jsonb' })
  facets: Record<string, string>;

  @Column({ name: 'revision', type: 'integer' })
  revision: number;

  @Column({ name: 'content_hash', type: 'text' })
  contentHash: string;

  @Column({ name: 'visibility', type: 'text' })
  visibility: Visibility;

  @Column({ name: 'created_by', type: 'text' })
  createdBy: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;
}
