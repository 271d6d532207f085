import { access, constants } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, PRODUCT_VERSION, type AppConfig } from '@cleveragents/config';
import { AppLogger } from '@cleveragents/observability';
import { EXTENSION_URI, SUPPORTED_DIALECTS } from '@cleveragents/protocol';
import type { HealthCheckView, HealthStatus, HealthView } from './dto/health.view.js';
import { HealthProbes } from './health-probes.js';
import { HealthRepository } from './health.repository.js';

/** A check that hangs is a check that fails: a probe must answer before its caller gives up. */
const CHECK_TIMEOUT_MS = 2000;

@Injectable()
export class HealthService {
  constructor(
    private readonly repository: HealthRepository,
    private readonly probes: HealthProbes,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly logger: AppLogger,
  ) {}

  /** Whether calls can be served. */
  async status(): Promise<HealthStatus> {
    return worstOf(await this.checks());
  }

  async report(): Promise<HealthView> {
    const checks = await this.checks();
    return {
      status: worstOf(checks),
      version: PRODUCT_VERSION,
      protocol: { a2a: SUPPORTED_DIALECTS, extensions: [EXTENSION_URI] },
      uptime_s: Math.floor(process.uptime()),
      time: new Date().toISOString(),
      checks,
    };
  }

  private checks(): Promise<HealthCheckView[]> {
    return Promise.all([
      this.check('database', 'error', () => this.repository.ping()),
      this.check('migrations', 'error', () => this.requireMigrations()),
      this.check('queue', 'error', () => this.repository.pingQueue()),
      this.check('sandbox_root', 'degraded', () => access(this.config.dataDir, constants.W_OK)),
      ...this.probes.list().map(({ name, whenFailing, probe }) => this.check(name, whenFailing, () => probe.check())),
    ]);
  }

  /** `whenFailing`: what the failure means for the whole. Why it failed stays in the log. */
  private async check(name: string, whenFailing: HealthStatus, work: () => Promise<void>): Promise<HealthCheckView> {
    try {
      await withTimeout(work());
      return { name, status: 'ok' };
    } catch (error) {
      this.logger.write('warn', { err: error, check: name }, 'health check failed');
      return { name, status: whenFailing };
    }
  }

  private async requireMigrations(): Promise<void> {
    const pending = await this.repository.pendingMigrations();
    if (pending.length > 0) throw new Error(`${pending.length} migration(s) are not applied`);
  }
}

async function withTimeout(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), CHECK_TIMEOUT_MS);
  });
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

function worstOf(checks: readonly HealthCheckView[]): HealthStatus {
  const statuses = new Set(checks.map(({ status }) => status));
  if (statuses.has('error')) return 'error';
  return statuses.has('degraded') ? 'degraded' : 'ok';
}
