import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the sweep that looks for plans whose job was lost. */
export class IndexDuePlans1767225600600 implements MigrationInterface {
  readonly name = 'IndexDuePlans1767225600600';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE INDEX plan_due ON plan (updated_at) WHERE state = 'queued' AND awaiting IS NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX plan_due');
  }
}
