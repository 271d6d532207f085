import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import { NamespaceRow } from './namespace.entity.js';

@Injectable()
export class NamespaceRepository {
  constructor(private readonly tx: TransactionManager) {}

  async exists(name: string): Promise<boolean> {
    return this.tx.manager.getRepository(NamespaceRow).existsBy({ name });
  }

  async names(limit: number): Promise<readonly string[]> {
    const rows = await this.tx.manager
      .getRepository(NamespaceRow)
      .find({ select: { name: true }, order: { name: 'ASC' }, take: limit });
    return rows.map(({ name }) => name);
  }

  async insertIfMissing(row: NamespaceRow): Promise<void> {
    await this.tx.manager.createQueryBuilder().insert().into(NamespaceRow).values(row).orIgnore().execute();
  }
}
