import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { RunnerLease } from '@cleveragents/engine';
import { AppLogger } from '@cleveragents/observability';
import { PushFailures } from './push-failures.js';
import { PushPayloads } from './push-payloads.js';
import { PushQueue, type ClaimedConfig } from './push-queue.repository.js';
import { PushSender, type FailedOutcome } from './push-sender.js';
import { SecretBox } from './secret-box.js';

/** Webhooks that are called at the same time; one that is silent holds its place until the call times out. */
const MAX_HELD = 128;
const MAX_TASKS_PER_CLAIM = 200;
/** Looking everywhere costs a look at every open webhook: it takes at most one hundredth of the time. */
const REST_PER_LOOK = 100;
const MAX_REST_MS = 60_000;
/** The clock of the database must have passed the moment too. */
const CLOCK_MARGIN_MS = 20;

/**
 * Brings the log of tasks to their webhooks: one runner per webhook, event after event, each of them until the receiver
 * has accepted it. A receiver may get an event twice, under the same number, but never one before another.
 */
@Injectable()
export class PushDeliverer implements BeforeApplicationShutdown {
  private readonly held = new Set<ClaimedConfig>();
  private readonly tasks = new Set<string>();
  private readonly stop = new AbortController();
  private isEverywhereDue = false;
  private restsUntil = 0;
  private claiming: Promise<void> | null = null;
  private whenIdle: () => void = () => undefined;

  constructor(
    private readonly queue: PushQueue,
    private readonly payloads: PushPayloads,
    private readonly sender: PushSender,
    private readonly failures: PushFailures,
    private readonly box: SecretBox,
    private readonly lease: RunnerLease,
    private readonly logger: AppLogger,
  ) {}

  /** Something of this task may be due. */
  look(taskId: string): void {
    this.tasks.add(taskId);
    this.schedule();
  }

  /** Something may be due anywhere. Skipped if the last look has cost much. */
  lookEverywhere(): void {
    if (performance.now() < this.restsUntil) return;
    this.isEverywhereDue = true;
    this.schedule();
  }

  /** Gives up what is under way: whatever was not accepted is due as before, here or elsewhere. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await this.claiming;
    if (this.held.size > 0) await new Promise<void>((resolve) => (this.whenIdle = resolve));
  }

  private schedule(): void {
    const hasWork = this.isEverywhereDue || this.tasks.size > 0;
    if (!hasWork || this.claiming !== null || this.held.size >= MAX_HELD || this.stop.signal.aborted) return;
    this.claiming = this.claim()
      // The next sweep looks everywhere.
      .catch((error: unknown) => this.logger.write('warn', { err: error }, 'Webhooks that are due cannot be claimed'))
      .finally(() => {
        this.claiming = null;
        this.schedule();
      });
  }

  /** One claim at a time: what is held is known when the next one begins. */
  private async claim(): Promise<void> {
    const tasks = this.isEverywhereDue ? null : [...this.tasks].slice(0, MAX_TASKS_PER_CLAIM);
    if (tasks === null) this.tasks.clear();
    else for (const taskId of tasks) this.tasks.delete(taskId);
    this.isEverywhereDue = false;
    const limit = MAX_HELD - this.held.size;
    const { keyIds } = this.box;
    const startedAt = performance.now();
    const claimed = await this.queue.claim({ runner: this.lease.id, held: [...this.held], keyIds, tasks, limit });
    if (tasks === null) this.restAfter(performance.now() - startedAt);
    // There may be more than there was room for.
    if (claimed.length === limit) this.isEverywhereDue = true;
    for (const config of claimed) {
      this.held.add(config);
      void this.serve(config);
    }
  }

  private restAfter(elapsedMs: number): void {
    this.restsUntil = performance.now() + Math.min(MAX_REST_MS, REST_PER_LOOK * elapsedMs);
  }

  private async serve(config: ClaimedConfig): Promise<void> {
    try {
      await this.deliver(config);
    } catch (error) {
      // The claim stays; the next sweep notices that nobody works on it.
      const fields = { err: error, task_id: config.taskId, config_id: config.id };
      this.logger.write('error', fields, 'A webhook cannot be served');
    } finally {
      this.held.delete(config);
      if (this.held.size === 0) this.whenIdle();
      this.schedule();
    }
  }

  private async deliver(config: ClaimedConfig): Promise<void> {
    let seq = config.deliveredSeq;
    for (;;) {
      const told = await this.tell(config, seq);
      if (told === null) return;
      if (told === seq) break;
      seq = told;
    }
    // A log that is no longer kept cannot be told.
    if (seq < config.lastSeq) await this.queue.advance(config, config.lastSeq);
    await this.queue.release(config);
    // For what was committed while the claim was being given up.
    this.look(config.taskId);
  }

  /** Tells what there is after event `seq`; number of the newest event told, or null when the claim is over. */
  private async tell(config: ClaimedConfig, seq: number): Promise<number | null> {
    let told = seq;
    for (const notification of await this.payloads.pending(config, seq)) {
      const outcome = await this.sender.send(config, notification, this.stop.signal);
      if (outcome.kind === 'stopped') await this.queue.release(config);
      if (outcome.kind === 'failed') await this.failed(config, outcome, told);
      if (outcome.kind !== 'delivered' || !(await this.queue.advance(config, notification.seq))) return null;
      told = notification.seq;
    }
    return told;
  }

  /** Whatever was told under this claim has ended the failures before. */
  private async failed(config: ClaimedConfig, outcome: FailedOutcome, told: number): Promise<void> {
    const failures = (told === config.deliveredSeq ? config.failures : 0) + 1;
    const pauseMs = await this.failures.record(config, outcome, failures);
    if (pauseMs !== null) setTimeout(() => this.look(config.taskId), pauseMs + CLOCK_MARGIN_MS).unref();
  }
}
