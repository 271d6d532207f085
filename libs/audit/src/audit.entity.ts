import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One record of the audit trail. Rows are only ever inserted. */
@Entity({ name: 'audit' })
export class AuditEntity {
  /** ULID: the order of the trail. */
  @PrimaryColumn({ name: 'id', type: 'text', primaryKeyConstraintName: 'audit_pkey' })
  id: string;

  @Column({ name: 'at', type: 'timestamptz', default: () => 'now()' })
  at: Date;

  @Column({ name: 'event', type: 'text' })
  event: string;

  @Column({ name: 'method', type: 'text', nullable: true })
  method: string | null;

  @Column({ name: 'outcome', type: 'text' })
  outcome: string;

  @Column({ name: 'user_identity', type: 'text' })
  userIdentity: string;

  @Column({ name: 'token_id', type: 'text', nullable: true })
  tokenId: string | null;

  @Column({ name: 'namespace', type: 'text', nullable: true })
  namespace: string | null;

  @Column({ name: 'task_id', type: 'text', nullable: true })
  taskId: string | null;

  @Column({ name: 'context_id', type: 'text', nullable: true })
  contextId: string | null;

  @Column({ name: 'plan_id', type: 'text', nullable: true })
  planId: string | null;

  /** JSON, escaped: PostgreSQL's text and jsonb refuse U+0000 as it is. */
  @Column({ name: 'entity', type: 'text', nullable: true })
  entity: string | null;

  @Column({ name: 'correlation_id', type: 'text' })
  correlationId: string;

  /** JSON, escaped like `entity`. */
  @Column({ name: 'details', type: 'text', nullable: true })
  details: string | null;
}
