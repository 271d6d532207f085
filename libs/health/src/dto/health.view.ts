export type HealthStatus = 'ok' | 'degraded' | 'error';

/** Result of `health/check`. Callers without credentials get `status` alone. */
export class HealthView {
  status: HealthStatus;
  version?: string;
  protocol?: { a2a: readonly string[]; extensions: readonly string[] };
  uptime_s?: number;
  time?: string;
  checks?: readonly HealthCheckView[];
}

export class HealthCheckView {
  name: string;
  status: HealthStatus;
}
