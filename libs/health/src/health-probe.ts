import { DiscoveryService } from '@nestjs/core';
import type { HealthStatus } from './dto/health.view.js';

/**
 * A check of something that the server depends on, contributed by whoever knows it. Resolves when all is well; it is
 * asked on every health check, so that it must be cheap.
 */
export interface Probe {
  check(): Promise<void>;
}

export interface ProbeFacts {
  /** Name of the check in the report. */
  readonly name: string;
  /** What its failure means for the whole: `error` = no calls can be served. */
  readonly whenFailing: Exclude<HealthStatus, 'ok'>;
}

/** Marks a provider as a Probe. */
export const HealthProbe = DiscoveryService.createDecorator<ProbeFacts>();
