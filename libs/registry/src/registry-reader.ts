import { Injectable } from '@nestjs/common';
import { type JsonObject, type Principal, ResourceNotFoundError, ValidationError } from '@cleveragents/kernel';
import { BuiltInEntities } from './built-in/built-in-entities.js';
import { splitCanonical } from './domain/canonical-name.js';
import type { EntityKind } from './domain/entity-kind.js';
import type { ProjectValidation } from './domain/project-spec.js';
import type { AttachedValidation, RegistryEntity } from './domain/registry-entity.js';
import { EntityAccess } from './entity-access.js';
import { entityFromRow } from './entity-from-row.js';
import { EntityNames, entityNotFound } from './entity-names.js';
import { RegistryRepository } from './registry.repository.js';

/** The registry as other libraries see it: entities by name, as far as the caller may see them. */
@Injectable()
export class RegistryReader {
  constructor(
    private readonly entities: RegistryRepository,
    private readonly builtIns: BuiltInEntities,
    private readonly names: EntityNames,
    private readonly access: EntityAccess,
  ) {}

  /** Missing and invisible are the same ResourceNotFoundError; a name that is none, a ValidationError at `path`. */
  async get<K extends EntityKind>(
    kind: K,
    name: string,
    principal: Principal,
    path = 'name',
  ): Promise<RegistryEntity<K>> {
    const canonical = this.names.canonical(kind, name, principal, path);
    const entity = await this.find(kind, canonical);
    const isReadable =
      entity !== null &&
      (entity.namespace === null || this.access.canRead(principal, { ...entity, namespace: entity.namespace }));
    if (!isReadable) throw entityNotFound(kind, canonical);
    return entity;
  }

  /** The actions that the caller may read and that plans can be made of, in the order of their names. */
  async availableActions(principal: Principal, limit: number): Promise<readonly RegistryEntity<'action'>[]> {
    const readable = this.access.readableNamespaces(principal);
    const rows = await this.entities.findPage(
      { kind: 'action', readable, facets: { state: 'available' } },
      null,
      limit,
    );
    return rows.map((row) => entityFromRow('action', row));
  }

  /** An unknown profile is a ValidationError at `path`, never silently another profile. */
  async automationProfile(
    name: string,
    principal: Principal,
    path = 'automation_profile',
  ): Promise<RegistryEntity<'automation_profile'>> {
    try {
      return await this.get('automation_profile', name, principal, path);
    } catch (error) {
      if (error instanceof ResourceNotFoundError) {
        throw ValidationError.of(path, 'names no automation profile', 'UNKNOWN_AUTOMATION_PROFILE');
      }
      throw error;
    }
  }

  /**
   * The validations of a project and of its resources, attached from either side, each (validation, target) once; what
   * the project says of one wins. What the caller may not see still runs: attaching was the act that needed the right.
   */
  async validationsAttachedTo(
    project: RegistryEntity<'project'>,
    resources: readonly RegistryEntity<'resource'>[],
  ): Promise<readonly AttachedValidation[]> {
    const ofProject = await Promise.all(project.spec.validations.map((listed) => this.listed(listed, project.name)));
    const attached = [
      ...ofProject.flat(),
      ...(await this.attachedTo('project', project.name)),
      ...(await Promise.all(resources.map(({ name }) => this.attachedTo('resource', name)))).flat(),
    ];
    const once = new Map(
      attached.toReversed().map((item) => [`${item.validation.name} ${item.scope} ${item.target}`, item]),
    );
    return [...once.values()].toReversed();
  }

  private async find<K extends EntityKind>(kind: K, canonical: string): Promise<RegistryEntity<K> | null> {
    const builtIn = this.builtIns.find(kind, canonical);
    if (builtIn !== undefined) return builtIn;
    const name = splitCanonical(canonical);
    const row = name === null ? null : await this.entities.find({ kind, ...name });
    return row === null ? null : entityFromRow(kind, row);
  }

  /** A validation that the project itself lists; one that was removed by force runs no more. */
  private async listed({ name, mode, args }: ProjectValidation, project: string): Promise<AttachedValidation[]> {
    const validation = await this.find('validation', name);
    return validation === null ? [] : [attach(validation, { mode, args }, 'project', project)];
  }

  private async attachedTo(scope: 'project' | 'resource', target: string): Promise<AttachedValidation[]> {
    const rows = await this.entities.findReferencing(scope, target);
    return rows
      .filter((row) => row.kind === 'validation')
      .map((row) => entityFromRow('validation', row))
      .flatMap((validation) =>
        validation.spec.attachments
          .filter((attachment) => attachment[scope] === target)
          .map((attachment) => attach(validation, attachment, scope, target)),
      );
  }
}

function attach(
  validation: RegistryEntity<'validation'>,
  said: { readonly mode?: AttachedValidation['mode'] | undefined; readonly args?: JsonObject | undefined },
  scope: AttachedValidation['scope'],
  target: string,
): AttachedValidation {
  const args = { ...validation.spec.args, ...said.args };
  return { validation, mode: said.mode ?? validation.spec.mode, args, scope, target };
}
