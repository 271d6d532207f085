import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the sweep that looks for requests to clients that nobody answered. */
export class IndexClientRequests1767225600900 implements MigrationInterface {
  readonly name = 'IndexClientRequests1767225600900';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX ix_task_client_request ON task (status_at)
      WHERE state = 'TASK_STATE_INPUT_REQUIRED' AND status LIKE '%"kind":"client_request"%'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX ix_task_client_request`);
  }
}
