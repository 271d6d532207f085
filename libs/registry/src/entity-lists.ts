import { Injectable } from '@nestjs/common';
import { type JsonObject, type Principal, ResourceNotFoundError } from '@cleveragents/kernel';
import { NamespaceService } from '@cleveragents/namespace';
import { BuiltInEntities } from './built-in/built-in-entities.js';
import type { EntityKind } from './domain/entity-kind.js';
import { decodeCursor, encodeCursor, type ListPosition } from './domain/list-cursor.js';
import type { RegistryEntity } from './domain/registry-entity.js';
import type { EntityListView } from './dto/entity.view.js';
import type { ListEntitiesParams } from './dto/list-entities.params.js';
import { EntityAccess } from './entity-access.js';
import { entityFromRow } from './entity-from-row.js';
import { EntityKinds, type RegisteredKind } from './kind/entity-kinds.js';
import { type EntitySelection, RegistryRepository } from './registry.repository.js';

const DEFAULT_LIMIT = 50;

export interface ListRequest extends ListEntitiesParams {
  readonly filter?: Readonly<Record<string, string>>;
}

/** Lists in the order of namespace and name, built-in entities first. */
@Injectable()
export class EntityLists {
  constructor(
    private readonly kinds: EntityKinds,
    private readonly entities: RegistryRepository,
    private readonly builtIns: BuiltInEntities,
    private readonly namespaces: NamespaceService,
    private readonly access: EntityAccess,
  ) {}

  async list(kind: EntityKind, request: ListRequest, principal: Principal): Promise<EntityListView> {
    const registered = this.kinds.of(kind);
    const selection = await this.selectionOf(kind, request, principal);
    const builtIns = this.builtInsOf(registered, request, selection);
    const after = request.cursor === undefined ? null : decodeCursor(request.cursor);
    const limit = request.limit ?? DEFAULT_LIMIT;
    const found = await this.pageOf(selection, builtIns, after, limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const items = await this.itemsOf(registered, page);
    const { namespace, facets } = selection;
    return {
      [registered.row.plural]: items,
      filters: { ...(namespace === undefined ? {} : { namespace }), ...facets },
      summary: await this.summaryOf(registered, selection, builtIns),
      next_cursor: found.length > limit && last !== undefined ? encodeCursor(positionOf(last)) : null,
      items,
    };
  }

  private async selectionOf(kind: EntityKind, request: ListRequest, principal: Principal): Promise<EntitySelection> {
    const namespace =
      request.namespace === undefined ? undefined : this.namespaces.parseNamespace(request.namespace, principal);
    if (namespace !== undefined) await this.requireVisible(namespace, principal);
    const readable = this.access.readableNamespaces(principal);
    const restriction = namespace === undefined ? {} : { namespace };
    return { kind, readable, facets: request.filter ?? {}, ...restriction };
  }

  /** A caller's own namespace is there from the beginning; any other from its first entity. */
  private async requireVisible(namespace: string, principal: Principal): Promise<void> {
    const isOwn = namespace === principal.personalNamespace;
    if (isOwn || (this.access.canSee(principal, namespace) && (await this.namespaces.exists(namespace)))) return;
    throw ResourceNotFoundError.of('Namespace', { name: namespace });
  }

  private builtInsOf(
    { row, behaviour }: RegisteredKind,
    { include_builtin: isIncluded = true }: ListRequest,
    { namespace, facets }: EntitySelection,
  ): readonly RegistryEntity[] {
    if (!isIncluded || namespace !== undefined) return [];
    return this.builtIns.list(row.kind).filter(({ spec }) => {
      const own = behaviour.facets(spec);
      return Object.entries(facets).every(([facet, value]) => own[facet] === value);
    });
  }

  private async pageOf(
    selection: EntitySelection,
    builtIns: readonly RegistryEntity[],
    after: ListPosition | null,
    limit: number,
  ): Promise<readonly RegistryEntity[]> {
    const isPastBuiltIns = after !== null && after.namespace !== '';
    const first = isPastBuiltIns
      ? []
      : builtIns.filter(({ name }) => after === null || name > after.name).slice(0, limit);
    if (first.length === limit) return first;
    const rows = await this.entities.findPage(selection, isPastBuiltIns ? after : null, limit - first.length);
    return [...first, ...rows.map((row) => entityFromRow(selection.kind, row))];
  }

  private async itemsOf({ behaviour }: RegisteredKind, page: readonly RegistryEntity[]): Promise<JsonObject[]> {
    const items = await behaviour.listItems(page);
    return page.map(({ name, namespace, revision, source }, index) => ({
      name,
      namespace,
      ...items[index],
      source,
      revision,
    }));
  }

  private async summaryOf(
    { row, behaviour }: RegisteredKind,
    selection: EntitySelection,
    builtIns: readonly RegistryEntity[],
  ): Promise<JsonObject> {
    const { facet, values } = row.counted ?? { facet: '', values: [] };
    const custom = await this.entities.countByFacet(selection, facet);
    const customTotal = [...custom.values()].reduce((sum, count) => sum + count, 0);
    const builtInCount = (value: string) =>
      builtIns.filter(({ spec }) => behaviour.facets(spec)[facet] === value).length;
    return {
      total: customTotal + builtIns.length,
      built_in: builtIns.length,
      custom: customTotal,
      ...Object.fromEntries(values.map((value) => [value, (custom.get(value) ?? 0) + builtInCount(value)])),
    };
  }
}

function positionOf({ name, namespace }: RegistryEntity): ListPosition {
  return namespace === null ? { namespace: '', name } : { namespace, name: name.slice(namespace.length + 1) };
}
