import type { AuditEntry } from '@cleveragents/audit';
import type { Origin } from '@cleveragents/kernel';

/** What is audited of a webhook: never its path or its query, which may hold a secret. */
interface AuditedConfig {
  readonly taskId: string;
  readonly id: string;
  readonly namespace: string;
  readonly url: string;
}

export function changeEntry(
  { taskId, id, namespace, url }: AuditedConfig,
  change: 'created' | 'updated' | 'deleted' | 'disabled',
  origin: Origin,
  reason?: string,
): AuditEntry {
  return {
    event: 'push_config_changed',
    outcome: 'ok',
    origin,
    namespace,
    taskId,
    details: { config_id: id, change, url_host: hostOf(url), ...(reason === undefined ? {} : { reason }) },
  };
}

export function hostOf(url: string): string {
  return new URL(url).host;
}
