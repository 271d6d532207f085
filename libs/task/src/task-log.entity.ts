import { Column, Entity, PrimaryColumn } from 'typeorm';

/** All events of a task that one commit made durable: newline-separated JSON texts, `seq` is the number of the last. */
@Entity('task_event')
export class TaskEventRow {
  @PrimaryColumn({ name: 'task_id', type: 'uuid', primaryKeyConstraintName: 'pk_task_event' })
  taskId: string;

  @PrimaryColumn({ name: 'seq', type: 'integer', primaryKeyConstraintName: 'pk_task_event' })
  seq: number;

  @Column({ name: 'frames', type: 'text' })
  frames: string;
}

/** One entry of a task's history. */
@Entity('message')
export class MessageRow {
  @PrimaryColumn({ name: 'task_id', type: 'uuid', primaryKeyConstraintName: 'pk_message' })
  taskId: string;

  @PrimaryColumn({ name: 'n', type: 'integer', primaryKeyConstraintName: 'pk_message' })
  n: number;

  @Column({ name: 'body', type: 'text' })
  body: string;
}

/** A piece of an artifact; the artifact is the fold of its pieces in order. Never rewritten. */
@Entity('artifact')
export class ArtifactRow {
  @PrimaryColumn({ name: 'task_id', type: 'uuid', primaryKeyConstraintName: 'pk_artifact' })
  taskId: string;

  @PrimaryColumn({ name: 'n', type: 'integer', primaryKeyConstraintName: 'pk_artifact' })
  n: number;

  @Column({ name: 'mode', type: 'text' })
  mode: string;

  @Column({ name: 'body', type: 'text' })
  body: string;
}
