import { Injectable } from '@nestjs/common';
import type { JsonObject, Principal } from '@cleveragents/kernel';
import { formatName } from '@cleveragents/namespace';
import type { RegistryEntity } from './domain/registry-entity.js';
import type { EntityView } from './dto/entity.view.js';
import { EntityAccess } from './entity-access.js';
import { EntityKinds } from './kind/entity-kinds.js';
import type { EntityRef } from './kind/kind-behaviour.js';
import { RegistryRepository } from './registry.repository.js';

/** What `show` answers. */
@Injectable()
export class EntityViews {
  constructor(
    private readonly kinds: EntityKinds,
    private readonly entities: RegistryRepository,
    private readonly access: EntityAccess,
  ) {}

  async render(entity: RegistryEntity, principal: Principal): Promise<EntityView> {
    const { kind, name, namespace, spec, visibility } = entity;
    const referencedBy = await this.referencedBy(entity, principal);
    const shown = await this.kinds.of(kind).behaviour.show(entity, { principal, referencedBy });
    const warnings = shown.warnings ?? [];
    return {
      ...shown.sections,
      [kind]: { name, namespace, visibility, ...(spec as JsonObject), ...shown.body },
      revision: entity.revision,
      content_hash: entity.contentHash,
      created_at: entity.createdAt.toISOString(),
      updated_at: entity.updatedAt.toISOString(),
      created_by: entity.createdBy,
      source: entity.source,
      referenced_by: referencedBy.map((reference) => ({ ...reference })),
      ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
    };
  }

  private async referencedBy({ kind, name }: RegistryEntity, principal: Principal): Promise<EntityRef[]> {
    const rows = await this.entities.findReferencing(kind, name);
    return rows
      .filter((row) => this.access.canRead(principal, row))
      .map((row) => ({ kind: row.kind, name: formatName(row) }));
  }
}
