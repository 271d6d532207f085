import type { JsonObject, Origin } from '@cleveragents/kernel';

/** One fact of the audit trail (domain: one record per mutation and per task transition, in the change's transaction). */
export interface AuditEntry {
  /** For example `plan_created`, `config_changed`, `task_state_changed`. */
  readonly event: string;
  readonly outcome: 'ok' | 'denied' | 'failed';
  readonly origin: Origin;
  readonly namespace: string | null;
  readonly taskId?: string;
  readonly contextId?: string;
  readonly planId?: string;
  readonly entity?: {
    readonly kind: string;
    readonly name: string;
    readonly revision_before: number | null;
    readonly revision_after: number | null;
  };
  /** Facts of the event; secrets are masked by the caller. */
  readonly details?: JsonObject;
}

/** Writes audit records. Inside `TransactionManager.run` the record commits or vanishes with the change it describes. */
export abstract class AuditLog {
  abstract record(entry: AuditEntry): Promise<void>;
}
