import { Injectable } from '@nestjs/common';
import { pendingMigrations } from '@cleveragents/database';
import { DataSource } from 'typeorm';

/** What the database says of its own health. */
@Injectable()
export class HealthRepository {
  constructor(private readonly dataSource: DataSource) {}

  async ping(): Promise<void> {
    await this.dataSource.query('SELECT 1');
  }

  /** The job queue keeps one row about itself; without its tables no work can be handed over. */
  async pingQueue(): Promise<void> {
    const rows: unknown[] = await this.dataSource.query('SELECT version FROM pgboss.version');
    if (rows.length !== 1) throw new Error('the job queue has no version');
  }

  /** Migrations that this version expects and the database lacks. */
  pendingMigrations(): Promise<string[]> {
    return pendingMigrations(this.dataSource);
  }
}
