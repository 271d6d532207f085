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

  /** Migrations that this version expects and the database lacks. */
  pendingMigrations(): Promise<string[]> {
    return pendingMigrations(this.dataSource);
  }
}
