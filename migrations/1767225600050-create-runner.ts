import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateRunner1767225600050 implements MigrationInterface {
  readonly name = 'CreateRunner1767225600050';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE runner (
        id text NOT NULL,
        host text NOT NULL,
        process text NOT NULL,
        started_at timestamptz NOT NULL DEFAULT now(),
        heartbeat_at timestamptz NOT NULL DEFAULT now(),
        ended_at timestamptz,
        CONSTRAINT pk_runner PRIMARY KEY (id)
      )`);
    await queryRunner.query(`CREATE INDEX ix_runner_alive ON runner (heartbeat_at) WHERE ended_at IS NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE runner`);
  }
}
