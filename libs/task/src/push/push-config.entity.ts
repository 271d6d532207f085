import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A webhook of a task, and how far its receiver knows the log of the task. */
@Entity('push_config')
@Index('ix_push_config_due', ['dueAt'], { where: '(due_at IS NOT NULL)' })
export class PushConfigRow {
  @PrimaryColumn({ name: 'task_id', type: 'uuid', primaryKeyConstraintName: 'pk_push_config' })
  taskId: string;

  @PrimaryColumn({ name: 'id', type: 'text', primaryKeyConstraintName: 'pk_push_config' })
  id: string;

  @Column({ name: 'owner', type: 'text' })
  owner: string;

  @Column({ name: 'namespace', type: 'text' })
  namespace: string;

  /** Generation of A2A in which it was made: the form of what is sent. */
  @Column({ name: 'dialect', type: 'text' })
  dialect: string;

  /** The client's own id of the task, where its generation lets clients choose one. */
  @Column({ name: 'wire_task_id', type: 'text', nullable: true })
  wireTaskId: string | null;

  @Column({ name: 'url', type: 'text' })
  url: string;

  /** Sealed, like `credentials`, by the key that `keyId` names. */
  @Column({ name: 'token', type: 'text', nullable: true })
  token: string | null;

  @Column({ name: 'scheme', type: 'text', nullable: true })
  scheme: string | null;

  @Column({ name: 'credentials', type: 'text', nullable: true })
  credentials: string | null;

  @Column({ name: 'key_id', type: 'text', nullable: true })
  keyId: string | null;

  @Column({ name: 'state', type: 'text' })
  state: string;

  /** Why the newest attempt failed; null = it did not. */
  @Column({ name: 'reason', type: 'text', nullable: true })
  reason: string | null;

  /** In a row. */
  @Column({ name: 'failures', type: 'integer' })
  failures: number;

  /** The receiver has accepted every event up to this number. */
  @Column({ name: 'delivered_seq', type: 'integer' })
  deliveredSeq: number;

  /** What there is to deliver is due from now on; null = nothing will ever be. */
  @Column({ name: 'due_at', type: 'timestamptz', nullable: true })
  dueAt: Date | null;

  /** The runner that delivers right now. */
  @Column({ name: 'claimed_by', type: 'text', nullable: true })
  claimedBy: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
