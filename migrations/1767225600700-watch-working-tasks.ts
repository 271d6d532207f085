import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WatchWorkingTasks1767225600700 implements MigrationInterface {
  readonly name = 'WatchWorkingTasks1767225600700';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE task ADD progress_at timestamptz NOT NULL DEFAULT now()`);
    await queryRunner.query(`ALTER TABLE task ADD overdue_at timestamptz`);
    await queryRunner.query(`CREATE INDEX ix_task_working ON task (status_at) WHERE state = 'TASK_STATE_WORKING'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX ix_task_working`);
    await queryRunner.query(`ALTER TABLE task DROP overdue_at, DROP progress_at`);
  }
}
