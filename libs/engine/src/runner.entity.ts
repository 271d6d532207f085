import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A server process that runs tasks. It holds what names it as runner for as long as its heartbeat is fresh. */
@Entity('runner')
@Index('ix_runner_alive', ['heartbeatAt'], { where: '(ended_at IS NULL)' })
export class RunnerRow {
  @PrimaryColumn({ name: 'id', type: 'text', primaryKeyConstraintName: 'pk_runner' })
  id: string;

  /** See processHost. */
  @Column({ name: 'host', type: 'text' })
  host: string;

  /** See processIdentity. */
  @Column({ name: 'process', type: 'text' })
  process: string;

  @Column({ name: 'started_at', type: 'timestamptz', default: () => 'now()' })
  startedAt: Date;

  @Column({ name: 'heartbeat_at', type: 'timestamptz', default: () => 'now()' })
  heartbeatAt: Date;

  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true })
  endedAt: Date | null;
}
