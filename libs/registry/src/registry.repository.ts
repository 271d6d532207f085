import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import { Brackets, type SelectQueryBuilder } from 'typeorm';
import type { EntityKind } from './domain/entity-kind.js';
import type { ListPosition } from './domain/list-cursor.js';
import { RegistryEntityRow } from './registry.entity.js';
import { RegistryReferenceRow } from './registry-reference.entity.js';
import { RegistryRevisionRow } from './registry-revision.entity.js';

export interface EntityKey {
  readonly kind: EntityKind;
  readonly namespace: string;
  readonly name: string;
}

/** Which entities of a kind a list is about. */
export interface EntitySelection {
  readonly kind: EntityKind;
  /** Namespaces that the caller may read; `all` = every one. Public entities are readable wherever they live. */
  readonly readable: 'all' | readonly string[];
  readonly namespace?: string;
  readonly facets: Readonly<Record<string, string>>;
}

export interface EntityChange {
  readonly row: RegistryEntityRow;
  readonly changedBy: string;
  readonly references: readonly Omit<RegistryReferenceRow, 'sourceId'>[];
}

/** Rows of the registry. Everything that writes must be called inside a transaction. */
@Injectable()
export class RegistryRepository {
  constructor(private readonly tx: TransactionManager) {}

  async find({ kind, namespace, name }: EntityKey): Promise<RegistryEntityRow | null> {
    return this.tx.manager.getRepository(RegistryEntityRow).findOneBy({ kind, namespace, name });
  }

  async findById(id: string): Promise<RegistryEntityRow | null> {
    return this.tx.manager.getRepository(RegistryEntityRow).findOneBy({ id });
  }

  /** Those of the keys that exist; they stay as they are until the open transaction ends. */
  async findAndHold(keys: readonly EntityKey[]): Promise<readonly RegistryEntityRow[]> {
    if (keys.length === 0) return [];
    const where = keys.map(({ kind, namespace, name }) => ({ kind, namespace, name }));
    return this.tx.manager
      .getRepository(RegistryEntityRow)
      .find({ where, order: { id: 'ASC' }, lock: { mode: 'pessimistic_read' } });
  }

  async findRevision(entityId: string, revision: number): Promise<RegistryRevisionRow | null> {
    return this.tx.manager.getRepository(RegistryRevisionRow).findOneBy({ entityId, revision });
  }

  /** Entities that name this one. */
  async findReferencing(targetKind: EntityKind, targetName: string): Promise<readonly RegistryEntityRow[]> {
    return this.tx.manager
      .createQueryBuilder(RegistryEntityRow, 'entity')
      .where((query) => {
        const sources = query.subQuery().select('reference.sourceId').from(RegistryReferenceRow, 'reference');
        return `entity.id IN ${sources.where('reference.targetKind = :targetKind AND reference.targetName = :targetName').getQuery()}`;
      })
      .setParameters({ targetKind, targetName })
      .orderBy({ 'entity.kind': 'ASC', 'entity.namespace': 'ASC', 'entity.name': 'ASC' })
      .getMany();
  }

  async findPage(
    selection: EntitySelection,
    after: ListPosition | null,
    limit: number,
  ): Promise<readonly RegistryEntityRow[]> {
    const query = this.select(selection);
    if (after !== null) query.andWhere('(entity.namespace, entity.name) > (:afterNamespace, :afterName)');
    return query
      .setParameters({ afterNamespace: after?.namespace, afterName: after?.name })
      .orderBy({ 'entity.namespace': 'ASC', 'entity.name': 'ASC' })
      .limit(limit)
      .getMany();
  }

  /** How many there are by value of a facet; an entity without it counts under the empty text. */
  async countByFacet(selection: EntitySelection, facet: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.select(selection)
      .select(`COALESCE(entity.facets->>:facet, '')`, 'value')
      .addSelect('count(*)::int', 'count')
      .setParameter('facet', facet)
      .groupBy('value')
      .getRawMany<{ value: string; count: number }>();
    return new Map(rows.map(({ value, count }) => [value, count]));
  }

  /** False if the name is taken; then nothing was written. */
  async insert(change: EntityChange): Promise<boolean> {
    const { raw } = await this.tx.manager
      .createQueryBuilder()
      .insert()
      .into(RegistryEntityRow)
      .values(change.row)
      .orIgnore()
      .returning('id')
      .execute();
    if ((raw as unknown[]).length === 0) return false;
    await this.insertRevision(change);
    return true;
  }

  /** False if the entity is no longer at the revision before; then nothing was written. */
  async revise(change: EntityChange): Promise<boolean> {
    const { id, spec, facets, revision, contentHash, visibility, updatedAt } = change.row;
    const { affected } = await this.tx.manager
      .getRepository(RegistryEntityRow)
      .update({ id, revision: revision - 1 }, { spec, facets, revision, contentHash, visibility, updatedAt });
    if (affected !== 1) return false;
    await this.tx.manager.getRepository(RegistryReferenceRow).delete({ sourceId: id });
    await this.insertRevision(change);
    return true;
  }

  private async insertRevision({ row, changedBy, references }: EntityChange): Promise<void> {
    const { id, revision, spec, contentHash, updatedAt } = row;
    await this.tx.manager
      .getRepository(RegistryRevisionRow)
      .insert({ entityId: id, revision, spec, contentHash, changedBy, changedAt: updatedAt });
    if (references.length === 0) return;
    const rows = references.map((reference) => ({ ...reference, sourceId: id }));
    await this.tx.manager.getRepository(RegistryReferenceRow).insert(rows);
  }

  private select({ kind, readable, namespace, facets }: EntitySelection): SelectQueryBuilder<RegistryEntityRow> {
    const query = this.tx.manager
      .createQueryBuilder(RegistryEntityRow, 'entity')
      .where('entity.kind = :kind', { kind });
    if (readable !== 'all') {
      query.andWhere(
        new Brackets((either) =>
          either.where('entity.namespace = ANY(:readable)', { readable }).orWhere(`entity.visibility = 'public'`),
        ),
      );
    }
    if (namespace !== undefined) query.andWhere('entity.namespace = :namespace', { namespace });
    if (Object.keys(facets).length > 0) query.andWhere('entity.facets @> :facets', { facets: JSON.stringify(facets) });
    return query;
  }
}
