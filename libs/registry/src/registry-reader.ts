import { Injectable } from '@nestjs/common';
import type { Principal } from '@cleveragents/kernel';
import type { EntityKind } from './domain/entity-kind.js';
import type { AttachedValidation, RegistryEntity } from './domain/registry-entity.js';

/** The registry as other libraries see it: entities by name, as far as the caller may see them. */
@Injectable()
export abstract class RegistryReader {
  /** Missing and invisible are the same ResourceNotFoundError; a name that is none, a ValidationError at `path`. */
  abstract get<K extends EntityKind>(
    kind: K,
    name: string,
    principal: Principal,
    path?: string,
  ): Promise<RegistryEntity<K>>;

  /** An unknown profile is a ValidationError at `path`, never silently another profile. */
  abstract automationProfile(
    name: string,
    principal: Principal,
    path?: string,
  ): Promise<RegistryEntity<'automation_profile'>>;

  /**
   * The validations of a project and of its resources, attached from either side, each (validation, target) once. What
   * the caller may not see still runs: attaching was the act that needed the right.
   */
  abstract validationsAttachedTo(
    project: RegistryEntity<'project'>,
    resources: readonly RegistryEntity<'resource'>[],
  ): Promise<readonly AttachedValidation[]>;
}
