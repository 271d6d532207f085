import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks of tasks, each with its place in the log of its task. `token` and `credentials` are encrypted. */
export class CreatePush1767225600500 implements MigrationInterface {
  readonly name = 'CreatePush1767225600500';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE push_config (
        task_id uuid NOT NULL,
        id text NOT NULL,
        owner text NOT NULL,
        namespace text NOT NULL,
        dialect text NOT NULL,
        wire_task_id text,
        url text NOT NULL,
        token text,
        scheme text,
        credentials text,
        key_id text,
        state text NOT NULL,
        reason text,
        failures integer NOT NULL,
        delivered_seq integer NOT NULL,
        due_at timestamptz,
        claimed_by text,
        created_at timestamptz NOT NULL,
        CONSTRAINT pk_push_config PRIMARY KEY (task_id, id)
      )`);
    await queryRunner.query(`CREATE INDEX ix_push_config_due ON push_config (due_at) WHERE due_at IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE push_config`);
  }
}
