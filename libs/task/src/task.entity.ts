import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A task as the fold of its events. Written by the commit statement only. */
@Entity('task')
@Index('ix_task_owner', ['owner', 'statusAt', 'id'])
@Index('ix_task_namespace', ['namespace', 'statusAt', 'id'])
@Index('ix_task_context', ['contextId', 'statusAt', 'id'])
@Index('ix_task_working', ['statusAt'], { where: "(state = 'TASK_STATE_WORKING'::text)" })
@Index('ix_task_client_request', ['statusAt'], {
  where: `((state = 'TASK_STATE_INPUT_REQUIRED'::text) AND (status ~~ '%"kind":"client_request"%'::text))`,
})
@Index('ix_task_runner', ['runner'], { where: '(runner IS NOT NULL)' })
export class TaskRow {
  @PrimaryColumn({ name: 'id', type: 'uuid', primaryKeyConstraintName: 'pk_task' })
  id: string;

  @Column({ name: 'namespace', type: 'text' })
  namespace: string;

  @Column({ name: 'owner', type: 'text' })
  owner: string;

  @Column({ name: 'context_id', type: 'text' })
  contextId: string;

  /** Generation of A2A the task was born in. */
  @Column({ name: 'dialect', type: 'text' })
  dialect: string;

  @Column({ name: 'executor', type: 'text' })
  executor: string;

  @Column({ name: 'state', type: 'text' })
  state: string;

  /** TaskStatus as JSON text of A2A 1.0. */
  @Column({ name: 'status', type: 'text' })
  status: string;

  @Column({ name: 'status_at', type: 'timestamptz' })
  statusAt: Date;

  @Column({ name: 'metadata', type: 'text', nullable: true })
  metadata: string | null;

  /** Set under an explicit idempotency key: tells a retry from another payload under the same key. */
  @Column({ name: 'request_hash', type: 'text', nullable: true })
  requestHash: string | null;

  @Column({ name: 'last_seq', type: 'integer' })
  lastSeq: number;

  /** Artifact events up to this number are stored as rows of `artifact`. */
  @Column({ name: 'folded_seq', type: 'integer' })
  foldedSeq: number;

  @Column({ name: 'message_count', type: 'integer' })
  messageCount: number;

  @Column({ name: 'segment_count', type: 'integer' })
  segmentCount: number;

  /** The process that runs the task; null while it rests. */
  @Column({ name: 'runner', type: 'text', nullable: true })
  runner: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** When the newest event was stored, by the database's clock. */
  @Column({ name: 'progress_at', type: 'timestamptz', default: () => 'now()' })
  progressAt: Date;

  /** When it was noticed that the task had made no progress for too long. */
  @Column({ name: 'overdue_at', type: 'timestamptz', nullable: true })
  overdueAt: Date | null;
}
