import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A mutation that its caller may repeat under the same key. */
@Entity({ name: 'registry_idempotency' })
export class RegistryIdempotencyRow {
  @PrimaryColumn({ name: 'caller', type: 'text', primaryKeyConstraintName: 'registry_idempotency_pkey' })
  caller: string;

  @PrimaryColumn({ name: 'method', type: 'text', primaryKeyConstraintName: 'registry_idempotency_pkey' })
  method: string;

  @PrimaryColumn({ name: 'key', type: 'text', primaryKeyConstraintName: 'registry_idempotency_pkey' })
  key: string;

  @Column({ name: 'params_hash', type: 'text' })
  paramsHash: string;

  @Column({ name: 'entity_id', type: 'text' })
  entityId: string;

  @Column({ name: 'revision', type: 'integer' })
  revision: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
