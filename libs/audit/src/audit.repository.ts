import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import { newUlid } from '@cleveragents/kernel';
import { AuditLog, type AuditEntry } from './audit-log.js';
import { AuditEntity } from './audit.entity.js';

@Injectable()
export class AuditRepository extends AuditLog {
  constructor(private readonly transactions: TransactionManager) {
    super();
  }

  async record(entry: AuditEntry): Promise<void> {
    const { origin, entity, details } = entry;
    await this.transactions.manager.getRepository(AuditEntity).insert({
      id: newUlid(),
      event: entry.event,
      method: origin.method,
      outcome: entry.outcome,
      userIdentity: origin.userIdentity,
      tokenId: origin.tokenId,
      namespace: entry.namespace,
      taskId: entry.taskId ?? null,
      contextId: entry.contextId ?? null,
      planId: entry.planId ?? null,
      entity: entity === undefined ? null : JSON.stringify(entity),
      correlationId: origin.correlationId,
      details: details === undefined ? null : JSON.stringify(details),
    });
  }
}
