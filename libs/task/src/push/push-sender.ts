import { Injectable } from '@nestjs/common';
import { PRODUCT_VERSION } from '@cleveragents/config';
import { newUlid } from '@cleveragents/kernel';
import { AppLogger } from '@cleveragents/observability';
import { OutboundClient, OutboundError } from '@cleveragents/outbound';
import { isBearer } from './domain/push-settings.js';
import { hostOf } from './push-audit.js';
import type { ClaimedConfig } from './push-queue.repository.js';
import { PushSigner } from './push-signer.js';
import { SecretBox } from './secret-box.js';

const TIMEOUT_MS = 10_000;
/** The answer's text means nothing here. */
const MAX_ANSWER_BYTES = 64 * 1024;
const GONE = 410;

/** One event on its way to one webhook. */
export interface Notification {
  readonly seq: number;
  readonly body: string;
}

export interface FailedOutcome {
  readonly kind: 'failed';
  readonly reason: string;
  /** The receiver wants no further calls. */
  readonly isFinal: boolean;
}

type Outcome =
  | { readonly kind: 'delivered' }
  | FailedOutcome
  /** This server gave the call up. */
  | { readonly kind: 'stopped' };

/** Makes one call to a webhook. */
@Injectable()
export class PushSender {
  constructor(
    private readonly client: OutboundClient,
    private readonly box: SecretBox,
    private readonly signer: PushSigner,
    private readonly logger: AppLogger,
  ) {}

  async send(config: ClaimedConfig, notification: Notification, signal: AbortSignal): Promise<Outcome> {
    const correlationId = newUlid();
    const startedAt = performance.now();
    const outcome = await this.attempt(config, notification, correlationId, signal).catch(failureOf);
    this.logger.write(
      outcome.kind === 'failed' ? 'info' : 'debug',
      {
        correlation_id: correlationId,
        task_id: config.taskId,
        config_id: config.id,
        url_host: hostOf(config.url),
        seq: notification.seq,
        duration_ms: Math.round(performance.now() - startedAt),
        ...(outcome.kind === 'failed' ? { reason: outcome.reason } : {}),
      },
      `push ${outcome.kind}`,
    );
    return outcome;
  }

  private async attempt(
    config: ClaimedConfig,
    notification: Notification,
    correlationId: string,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { status } = await this.client.post(config.url, {
      headers: await this.headers(config, notification, correlationId),
      body: notification.body,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_ANSWER_BYTES,
      signal,
    });
    return outcomeOf(status);
  }

  private async headers(
    config: ClaimedConfig,
    { seq, body }: Notification,
    correlationId: string,
  ): Promise<Record<string, string>> {
    const { taskId, url, dialect } = config;
    const signature = await this.signer.sign({ url, body, taskId, seq });
    const token = this.secret(config, 'token');
    const authorization = this.authorization(config, signature);
    return {
      'Content-Type': dialect === '1.0' ? 'application/a2a+json' : 'application/json',
      'User-Agent': `CleverAgents/${PRODUCT_VERSION}`,
      'A2A-Version': dialect,
      ...(authorization === null ? {} : { Authorization: authorization }),
      ...(token === null ? {} : { 'X-A2A-Notification-Token': token }),
      'X-A2A-Event-Id': `${taskId}-${seq}`,
      'X-A2A-Event-Seq': String(seq),
      'X-A2A-Timestamp': new Date().toISOString(),
      'X-A2A-Signature': signature,
      'X-Correlation-ID': correlationId,
    };
  }

  private authorization(config: ClaimedConfig, signature: string): string | null {
    const { scheme } = config;
    if (scheme === null) return null;
    const credentials = this.secret(config, 'credentials') ?? (isBearer(scheme) ? signature : null);
    return credentials === null ? null : `${scheme} ${credentials}`;
  }

  private secret({ taskId, id, keyId, ...sealed }: ClaimedConfig, field: 'token' | 'credentials'): string | null {
    const secret = sealed[field];
    return secret === null || keyId === null ? null : this.box.open(secret, keyId, { taskId, id, field });
  }
}

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  return { kind: 'failed', reason: `HTTP_${status}`, isFinal: status === GONE };
}

function failureOf(error: unknown): Outcome {
  // Its secrets do not open: not a matter of the receiver, but of the key file or the database.
  if (!(error instanceof OutboundError)) return { kind: 'failed', reason: 'UNREADABLE_SECRET', isFinal: false };
  if (error.failure === 'aborted') return { kind: 'stopped' };
  // The receiver has said yes; that the rest of its answer was no good is its own affair.
  if (error.status !== null && outcomeOf(error.status).kind === 'delivered') return { kind: 'delivered' };
  return { kind: 'failed', reason: error.failure.toUpperCase(), isFinal: false };
}
