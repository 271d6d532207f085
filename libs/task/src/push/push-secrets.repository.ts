import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import { And, In, IsNull, Not } from 'typeorm';
import { PushConfigRow } from './push-config.entity.js';

/** The sealed secrets of one configuration. */
export type SealedSecrets = Pick<PushConfigRow, 'taskId' | 'id' | 'token' | 'credentials' | 'keyId'>;

/** The secrets of the configurations, by the keys that seal them. */
@Injectable()
export class PushSecretsRepository {
  constructor(private readonly transactions: TransactionManager) {}

  sealedBy(keyIds: readonly string[], limit: number): Promise<PushConfigRow[]> {
    return this.rows.find({ where: { keyId: In([...keyIds]) }, take: limit });
  }

  countSealedByOthers(keyIds: readonly string[]): Promise<number> {
    return this.rows.countBy({ keyId: And(Not(IsNull()), Not(In([...keyIds]))) });
  }

  /** Counts only if the client has not set other secrets meanwhile. */
  async replace(before: SealedSecrets, after: Pick<SealedSecrets, 'token' | 'credentials' | 'keyId'>): Promise<void> {
    await this.transactions.manager.query(
      `UPDATE push_config SET token = $3, credentials = $4, key_id = $5
       WHERE task_id = $1::uuid AND id = $2 AND token IS NOT DISTINCT FROM $6 AND credentials IS NOT DISTINCT FROM $7`,
      [before.taskId, before.id, after.token, after.credentials, after.keyId, before.token, before.credentials],
    );
  }

  private get rows() {
    return this.transactions.manager.getRepository(PushConfigRow);
  }
}
