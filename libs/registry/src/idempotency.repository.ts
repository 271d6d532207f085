import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import { LessThan, MoreThanOrEqual } from 'typeorm';
import { RegistryIdempotencyRow } from './registry-idempotency.entity.js';

export type IdempotentCall = Pick<RegistryIdempotencyRow, 'caller' | 'method' | 'key'>;

@Injectable()
export class IdempotencyRepository {
  constructor(private readonly tx: TransactionManager) {}

  async find({ caller, method, key }: IdempotentCall, since: Date): Promise<RegistryIdempotencyRow | null> {
    return this.tx.manager
      .getRepository(RegistryIdempotencyRow)
      .findOneBy({ caller, method, key, createdAt: MoreThanOrEqual(since) });
  }

  /** Who holds the key from now on: this row, or an earlier one. Waits for another transaction that is claiming it. */
  async claim(row: RegistryIdempotencyRow, since: Date): Promise<RegistryIdempotencyRow> {
    const { caller, method, key } = row;
    const repository = this.tx.manager.getRepository(RegistryIdempotencyRow);
    await repository.delete({ caller, method, key, createdAt: LessThan(since) });
    await repository.createQueryBuilder().insert().values(row).orIgnore().execute();
    return repository.findOneByOrFail({ caller, method, key });
  }
}
