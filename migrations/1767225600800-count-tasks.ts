import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CountTasks1767225600800 implements MigrationInterface {
  readonly name = 'CountTasks1767225600800';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE task_count (
        owner text NOT NULL,
        namespace text NOT NULL,
        state text NOT NULL,
        n bigint NOT NULL,
        CONSTRAINT pk_task_count PRIMARY KEY (owner, namespace, state)
      )`);
    await queryRunner.query(`CREATE INDEX ix_task_count_namespace ON task_count (namespace)`);
    // Only ever inserted into and emptied: commits never wait for each other at a row of it.
    await queryRunner.query(`
      CREATE TABLE task_count_change (
        owner text NOT NULL,
        namespace text NOT NULL,
        state text NOT NULL,
        n integer NOT NULL
      )`);
    await queryRunner.query(`
      INSERT INTO task_count (owner, namespace, state, n)
      SELECT owner, namespace, state, count(*) FROM task GROUP BY owner, namespace, state`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE task_count_change`);
    await queryRunner.query(`DROP TABLE task_count`);
  }
}
