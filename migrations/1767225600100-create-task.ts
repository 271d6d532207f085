import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateTask1767225600100 implements MigrationInterface {
  readonly name = 'CreateTask1767225600100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE task (
        id uuid NOT NULL,
        namespace text NOT NULL,
        owner text NOT NULL,
        context_id text NOT NULL,
        dialect text NOT NULL,
        executor text NOT NULL,
        state text NOT NULL,
        status text NOT NULL,
        status_at timestamptz NOT NULL,
        metadata text,
        request_hash text,
        last_seq integer NOT NULL,
        folded_seq integer NOT NULL,
        message_count integer NOT NULL,
        segment_count integer NOT NULL,
        runner text,
        created_at timestamptz NOT NULL,
        CONSTRAINT pk_task PRIMARY KEY (id)
      ) WITH (fillfactor = 70)`);
    await queryRunner.query(`CREATE INDEX ix_task_owner ON task (owner, status_at, id)`);
    await queryRunner.query(`CREATE INDEX ix_task_namespace ON task (namespace, status_at, id)`);
    await queryRunner.query(`CREATE INDEX ix_task_context ON task (context_id, status_at, id)`);
    await queryRunner.query(`CREATE INDEX ix_task_runner ON task (runner) WHERE runner IS NOT NULL`);
    await queryRunner.query(`
      CREATE TABLE task_event (
        task_id uuid NOT NULL,
        seq integer NOT NULL,
        frames text NOT NULL,
        CONSTRAINT pk_task_event PRIMARY KEY (task_id, seq)
      )`);
    await queryRunner.query(`
      CREATE TABLE message (
        task_id uuid NOT NULL,
        n integer NOT NULL,
        body text NOT NULL,
        CONSTRAINT pk_message PRIMARY KEY (task_id, n)
      )`);
    await queryRunner.query(`
      CREATE TABLE artifact (
        task_id uuid NOT NULL,
        n integer NOT NULL,
        mode text NOT NULL,
        body text NOT NULL,
        CONSTRAINT pk_artifact PRIMARY KEY (task_id, n)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['artifact', 'message', 'task_event', 'task']) await queryRunner.query(`DROP TABLE ${table}`);
  }
}
