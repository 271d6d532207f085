import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit trail. `entity` and `details` are JSON kept as escaped text, which also holds U+0000. */
export class CreateAudit1767225600000 implements MigrationInterface {
  name = 'CreateAudit1767225600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit (
        id             text        NOT NULL CONSTRAINT audit_pkey PRIMARY KEY,
        at             timestamptz NOT NULL DEFAULT now(),
        event          text        NOT NULL,
        method         text,
        outcome        text        NOT NULL,
        user_identity  text        NOT NULL,
        token_id       text,
        namespace      text,
        task_id        text,
        context_id     text,
        plan_id        text,
        entity         text,
        correlation_id text        NOT NULL,
        details        text
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit');
  }
}
