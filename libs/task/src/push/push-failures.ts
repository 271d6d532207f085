import { Injectable } from '@nestjs/common';
import { AuditLog } from '@cleveragents/audit';
import { TransactionManager } from '@cleveragents/database';
import { newUlid } from '@cleveragents/kernel';
import { AppLogger } from '@cleveragents/observability';
import { MAX_FAILURES, retryDelayMs } from './domain/retry-delay.js';
import { changeEntry, hostOf } from './push-audit.js';
import { PushQueue, type ClaimedConfig, type FailedAttempt } from './push-queue.repository.js';
import type { FailedOutcome } from './push-sender.js';

/** What becomes of a webhook whose call has failed. */
@Injectable()
export class PushFailures {
  constructor(
    private readonly queue: PushQueue,
    private readonly audit: AuditLog,
    private readonly transactions: TransactionManager,
    private readonly logger: AppLogger,
  ) {}

  /** Gives up the claim. The pause before the next attempt, or null when there will be none. */
  async record(config: ClaimedConfig, { reason, isFinal }: FailedOutcome, failures: number): Promise<number | null> {
    if (isFinal || failures >= MAX_FAILURES) {
      await this.giveUp(config, { reason, failures });
      return null;
    }
    const pauseMs = retryDelayMs(failures);
    await this.queue.postpone(config, { reason, failures }, pauseMs);
    return pauseMs;
  }

  private async giveUp(config: ClaimedConfig, attempt: FailedAttempt): Promise<void> {
    const { taskId, id, url } = config;
    const correlationId = newUlid();
    const origin = { userIdentity: 'system', tokenId: null, method: null, correlationId };
    const isDone = await this.transactions.run(async () => {
      if (!(await this.queue.disable(config, attempt))) return false;
      await this.audit.record(changeEntry(config, 'disabled', origin, attempt.reason));
      return true;
    });
    if (!isDone) return;
    const fields = { correlation_id: correlationId, task_id: taskId, config_id: id, url_host: hostOf(url), ...attempt };
    this.logger.write('warn', fields, 'A webhook is not called any more');
  }
}
