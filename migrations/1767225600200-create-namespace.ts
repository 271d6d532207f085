import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Namespaces: where entities, tasks and plans belong. */
export class CreateNamespace1767225600200 implements MigrationInterface {
  name = 'CreateNamespace1767225600200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE namespace (
        name       text        NOT NULL CONSTRAINT namespace_pkey PRIMARY KEY,
        created_by text        NOT NULL,
        created_at timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE namespace');
  }
}
