import { Injectable } from '@nestjs/common';
import {
  DuplicateEntityError,
  type FieldProblem,
  type JsonObject,
  type Principal,
  ValidationError,
} from '@cleveragents/kernel';
import { type EntityName, isProvidedNamespace, NamespaceService } from '@cleveragents/namespace';
import { BuiltInEntities } from './built-in/built-in-entities.js';
import type { EntityKind, Visibility } from './domain/entity-kind.js';
import type { EntityReference } from './domain/entity-reference.js';
import type { SpecOf } from './domain/registry-entity.js';
import type { AddEntityParams } from './dto/add-entity.params.js';
import { EntityAccess } from './entity-access.js';
import { EntityNames } from './entity-names.js';
import { EntityKinds } from './kind/entity-kinds.js';
import type { DraftContext, KindBehaviour } from './kind/kind-behaviour.js';

const MAX_SPEC_BYTES = 1024 * 1024;

/** An entity that is right in itself; whether the things that it names exist is not known yet. */
export interface EntityDraft {
  readonly kind: EntityKind;
  readonly name: EntityName;
  readonly spec: SpecOf<EntityKind>;
  readonly facets: Record<string, string>;
  readonly references: readonly EntityReference[];
  readonly visibility: Visibility;
}

/** From a document (as `entityDocument` reads it) to an entity that can be stored. */
@Injectable()
export class EntityDrafts {
  constructor(
    private readonly kinds: EntityKinds,
    private readonly builtIns: BuiltInEntities,
    private readonly namespaces: NamespaceService,
    private readonly names: EntityNames,
    private readonly access: EntityAccess,
  ) {}

  /** Refuses in this order: the name, the author's role, the document, what the world outside says. */
  async draft(kind: EntityKind, document: JsonObject, principal: Principal): Promise<EntityDraft> {
    const { behaviour, checkDocument } = this.kinds.of(kind);
    const name = this.claimableName(kind, nameIn(document), principal);
    const params = checkDocument(document) as AddEntityParams;
    const spec = specOf(behaviour, params, this.contextOf(principal));
    await behaviour.verify(spec);
    return {
      kind,
      name,
      spec,
      facets: behaviour.facets(spec),
      references: behaviour.references(spec),
      visibility: params.visibility ?? 'namespace',
    };
  }

  private claimableName(kind: EntityKind, text: string, principal: Principal): EntityName {
    if (this.builtIns.find(kind, text.toLowerCase()) !== undefined) throw duplicate(kind, text.toLowerCase());
    const name = this.namespaces.parseName(text, principal);
    if (isProvidedNamespace(name.namespace)) {
      throw ValidationError.of(
        'name',
        `lies in ${name.namespace}/, which the server itself fills`,
        'RESERVED_NAMESPACE',
      );
    }
    this.access.requireRole(principal, name.namespace, 'maintainer');
    return name;
  }

  private contextOf(principal: Principal): DraftContext {
    return {
      nameOf: (kind, text, path) => this.names.canonical(kind, text, principal, path),
      isSingleUser: principal.kind === 'local',
    };
  }
}

export function duplicate(kind: EntityKind, name: string): DuplicateEntityError {
  return new DuplicateEntityError(`${name} exists already`, { kind, name });
}

function nameIn({ name }: JsonObject): string {
  if (typeof name === 'string') return name;
  throw ValidationError.of('name', name === undefined ? 'is required' : 'must be string');
}

function specOf(behaviour: KindBehaviour, params: AddEntityParams, context: DraftContext): SpecOf<EntityKind> {
  refuse(behaviour.paramsProblems(params, context));
  const spec = behaviour.toSpec(params, context);
  refuse(behaviour.problems(spec));
  if (Buffer.byteLength(JSON.stringify(spec)) > MAX_SPEC_BYTES) {
    throw ValidationError.of('params', `must be at most ${MAX_SPEC_BYTES} bytes`);
  }
  return spec;
}

function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw new ValidationError(problems);
}
