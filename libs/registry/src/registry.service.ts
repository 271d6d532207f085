import { Injectable } from '@nestjs/common';
import { type JsonObject, ResourceNotFoundError } from '@cleveragents/kernel';
import { contentHash } from './domain/content-hash.js';
import type { EntityKind } from './domain/entity-kind.js';
import type { RegistryEntity } from './domain/registry-entity.js';
import type { EntityListView, EntityView } from './dto/entity.view.js';
import type { ShowEntityParams } from './dto/show-entity.params.js';
import { EntityDrafts } from './entity-drafts.js';
import { entityDocument, type WrittenEntity } from './entity-document.js';
import { entityFromRow } from './entity-from-row.js';
import { EntityLists, type ListRequest } from './entity-lists.js';
import { entityNotFound } from './entity-names.js';
import { EntityViews } from './entity-views.js';
import { EntityWriter, type RepeatableCall, type WrittenRevision } from './entity-writer.js';
import { EntityKinds } from './kind/entity-kinds.js';
import type { RegistryCaller } from './registry-caller.js';
import { RegistryReader } from './registry-reader.js';
import { RegistryRepository } from './registry.repository.js';

/** Use cases of the registry, the same for every kind of the catalogue. */
@Injectable()
export class RegistryService {
  constructor(
    private readonly kinds: EntityKinds,
    private readonly drafts: EntityDrafts,
    private readonly writer: EntityWriter,
    private readonly reader: RegistryReader,
    private readonly entities: RegistryRepository,
    private readonly views: EntityViews,
    private readonly lists: EntityLists,
  ) {}

  /** `idempotencyKey` is the header's; a key in the params goes before it. */
  async add(
    kind: EntityKind,
    written: WrittenEntity,
    caller: RegistryCaller,
    idempotencyKey: string | null,
  ): Promise<EntityView> {
    const document = entityDocument(written);
    const key = written.idempotency_key ?? idempotencyKey;
    const call = key === null ? null : repeatable(`registry/${kind}/add`, key, document, caller);
    const earlier = call === null ? null : await this.writer.earlier(call);
    if (earlier !== null) return this.showWritten(kind, earlier, caller);
    const draft = await this.drafts.draft(kind, document, caller.principal);
    return this.showWritten(kind, await this.writer.add(draft, caller, call), caller);
  }

  async show(kind: EntityKind, { name, revision }: ShowEntityParams, caller: RegistryCaller): Promise<EntityView> {
    const current = await this.reader.get(kind, name, caller.principal);
    const wanted = revision === undefined ? current : await this.atRevision(current, revision);
    return this.views.render(wanted, caller.principal);
  }

  async list(kind: EntityKind, request: ListRequest, caller: RegistryCaller): Promise<EntityListView> {
    return this.lists.list(kind, request, caller.principal);
  }

  /** Puts an action out of use, for good; call inside the transaction that makes it so. Archived already = no change. */
  async archiveAction(action: RegistryEntity<'action'>, caller: RegistryCaller): Promise<void> {
    const { behaviour } = this.kinds.of('action');
    for (;;) {
      const row = await this.entities.findById(action.id);
      if (row === null) throw entityNotFound('action', action.name);
      const { spec, visibility } = entityFromRow('action', row);
      if (spec.state === 'archived') return;
      const archived = { ...spec, state: 'archived' as const };
      const draft = {
        kind: 'action' as const,
        name: { namespace: row.namespace, name: row.name },
        spec: archived,
        facets: behaviour.facets(archived),
        references: behaviour.references(archived),
        visibility,
      };
      if (await this.writer.revise(row, draft, caller)) return;
    }
  }

  private async showWritten(kind: EntityKind, written: WrittenRevision, caller: RegistryCaller): Promise<EntityView> {
    const row = await this.entities.findById(written.entityId);
    if (row === null) throw ResourceNotFoundError.of('Entity', { id: written.entityId });
    const entity = await this.atRevision(entityFromRow(kind, row), written.revision);
    return this.views.render(entity, caller.principal);
  }

  private async atRevision<K extends EntityKind>(
    entity: RegistryEntity<K>,
    revision: number,
  ): Promise<RegistryEntity<K>> {
    if (revision === entity.revision) return entity;
    const row = await this.entities.findRevision(entity.id, revision);
    if (row === null) throw ResourceNotFoundError.of('Revision', { kind: entity.kind, name: entity.name, revision });
    const spec = JSON.parse(row.spec) as RegistryEntity<K>['spec'];
    return { ...entity, spec, revision, contentHash: row.contentHash, updatedAt: row.changedAt };
  }
}

function repeatable(method: string, key: string, document: JsonObject, { principal }: RegistryCaller): RepeatableCall {
  return { caller: principal.id, method, key, paramsHash: contentHash(document) };
}
