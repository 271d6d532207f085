import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What an entity was at each of its revisions; never changed, and kept when the entity is removed. */
@Entity({ name: 'registry_revision' })
export class RegistryRevisionRow {
  @PrimaryColumn({ name: 'entity_id', type: 'text', primaryKeyConstraintName: 'registry_revision_pkey' })
  entityId: string;

  @PrimaryColumn({ name: 'revision', type: 'integer', primaryKeyConstraintName: 'registry_revision_pkey' })
  revision: number;

  /** JSON text. */
  @Column({ name: 'spec', type: 'text' })
  spec: string;

  @Column({ name: 'content_hash', type: 'text' })
  contentHash: string;

  @Column({ name: 'changed_by', type: 'text' })
  changedBy: string;

  @Column({ name: 'changed_at', type: 'timestamptz' })
  changedAt: Date;
}
