import { QueueModule } from '@cleveragents/engine';
import { createLogger, LoggingModule } from '@cleveragents/observability';
import { TestDatabase } from '@cleveragents/testing';
import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HealthProbe, type Probe } from './health-probe.js';
import { HealthModule } from './health.module.js';
import { HealthService } from './health.service.js';

/** Something that can break. */
@HealthProbe({ name: 'weather', whenFailing: 'degraded' })
class WeatherProbe implements Probe {
  isFine = true;

  async check(): Promise<void> {
    if (!this.isFine) throw new Error('it rains');
  }
}

describe('the health of the server', () => {
  let database: TestDatabase;
  let module: TestingModule;
  const lines: string[] = [];

  beforeAll(async () => {
    database = await TestDatabase.create();
    const logger = createLogger({ level: 'warn', pretty: false }, { write: (line) => void lines.push(line) });
    module = await database
      .module({ imports: [LoggingModule.forRoot(logger), QueueModule, HealthModule], providers: [WeatherProbe] })
      .compile();
    await module.init();
  });

  afterAll(async () => {
    await module.close();
    await database.drop();
  });

  const report = () => module.get(HealthService).report();

  it('is ok while every check is', async () => {
    expect(await report()).toMatchObject({
      status: 'ok',
      checks: ['database', 'migrations', 'queue', 'sandbox_root', 'weather'].map((name) => ({ name, status: 'ok' })),
    });
  });

  it('is degraded by what only some calls need; why stays in the log', async () => {
    module.get(WeatherProbe).isFine = false;
    const { status, checks } = await report();
    module.get(WeatherProbe).isFine = true;
    expect(status).toBe('degraded');
    expect(checks).toContainEqual({ name: 'weather', status: 'degraded' });
    expect(lines.join('')).toContain('it rains');
  });

  it('is an error where the job queue has lost its tables', async () => {
    const source = module.get(DataSource);
    await source.query('ALTER SCHEMA pgboss RENAME TO pgboss_away');
    const { status, checks } = await report();
    await source.query('ALTER SCHEMA pgboss_away RENAME TO pgboss');
    expect(status).toBe('error');
    expect(checks).toContainEqual({ name: 'queue', status: 'error' });
    expect(await module.get(HealthService).status()).toBe('ok');
  });
});
