import type { FieldProblem, JsonObject, Principal } from '@cleveragents/kernel';
import type { EntityKind } from '../domain/entity-kind.js';
import type { EntityReference } from '../domain/entity-reference.js';
import type { RegistryEntity, SpecOf } from '../domain/registry-entity.js';
import type { AddEntityParams } from '../dto/add-entity.params.js';

/** What a document means depends on who wrote it. */
export interface DraftContext {
  /** Canonical name of what the author means; a bad name is a ValidationError at `path`. */
  readonly nameOf: (kind: EntityKind, text: string, path: string) => string;
  /** The one local user, for whom more has a default. */
  readonly isSingleUser: boolean;
}

export interface EntityRef {
  readonly kind: EntityKind;
  readonly name: string;
}

export interface ShowContext {
  readonly principal: Principal;
  /** Entities that name this one, as far as the caller may see them. */
  readonly referencedBy: readonly EntityRef[];
}

/** What `show` says beyond the spec. */
export interface ShownEntity {
  /** Further members of the entity itself. */
  readonly body?: JsonObject;
  /** Sections beside the entity. */
  readonly sections?: JsonObject;
  readonly warnings?: readonly string[];
}

/**
 * All that makes one kind of entity different from another. The rest (names, roles, references, revisions, audit,
 * lists) is the same for every kind and lives in the services.
 */
export abstract class KindBehaviour<K extends EntityKind = EntityKind, P extends AddEntityParams = AddEntityParams> {
  /** Whether the fields fit each other; each by itself is already right. */
  paramsProblems(_params: P, _context: DraftContext): FieldProblem[] {
    return [];
  }

  /** The spec that the params mean: names canonical, defaults filled in. */
  abstract toSpec(params: P, context: DraftContext): SpecOf<K>;

  /** The rules of the kind, answered from the spec alone. */
  problems(_spec: SpecOf<K>): FieldProblem[] {
    return [];
  }

  references(_spec: SpecOf<K>): EntityReference[] {
    return [];
  }

  /** The plain fields that lists filter and count by. */
  facets(_spec: SpecOf<K>): Record<string, string> {
    return {};
  }

  /** Asks the world outside the database whether the spec is true; throws ValidationError if it is not. */
  async verify(_spec: SpecOf<K>): Promise<void> {}

  /** What a list tells of each entity, in the same order. */
  abstract listItems(entities: readonly RegistryEntity<K>[]): Promise<readonly JsonObject[]>;

  async show(_entity: RegistryEntity<K>, _context: ShowContext): Promise<ShownEntity> {
    return {};
  }
}
