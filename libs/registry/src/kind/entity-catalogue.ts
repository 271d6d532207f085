import type { Type } from '@nestjs/common';
import type { EntityKind } from '../domain/entity-kind.js';
import { AddActionParams } from '../dto/add-action.params.js';
import { AddActorParams } from '../dto/add-actor.params.js';
import type { AddEntityParams } from '../dto/add-entity.params.js';
import { AddProjectParams } from '../dto/add-project.params.js';
import { AddResourceParams } from '../dto/add-resource.params.js';
import { AddValidationParams } from '../dto/add-validation.params.js';
import {
  ActionFilterParams,
  ActorFilterParams,
  NoFilterParams,
  ResourceFilterParams,
  ValidationFilterParams,
} from '../dto/entity-filter.params.js';
import { ActionBehaviour } from './action.behaviour.js';
import { ActorBehaviour } from './actor.behaviour.js';
import type { KindBehaviour } from './kind-behaviour.js';
import { ProjectBehaviour } from './project.behaviour.js';
import { ResourceBehaviour } from './resource.behaviour.js';
import { ValidationBehaviour } from './validation.behaviour.js';

export interface EntityRow {
  readonly kind: EntityKind;
  /** Key of the items of a list. */
  readonly plural: string;
  /** Fields of `add`. */
  readonly add: Type<AddEntityParams>;
  /** Members of a list's `filter`; each is a facet of the kind. */
  readonly filter: Type<object>;
  readonly behaviour: Type<KindBehaviour>;
  /** The facet by whose values a list's summary counts. */
  readonly counted?: { readonly facet: string; readonly values: readonly string[] };
  /** Deprecated names of `list`. */
  readonly listAliases?: readonly string[];
}

/** Every kind that this server registers. A new kind is a row, its params and its behaviour. */
export const ENTITY_CATALOGUE: readonly EntityRow[] = [
  {
    kind: 'resource',
    plural: 'resources',
    add: AddResourceParams,
    filter: ResourceFilterParams,
    behaviour: ResourceBehaviour,
    listAliases: ['registry.list_resources'],
  },
  {
    kind: 'project',
    plural: 'projects',
    add: AddProjectParams,
    filter: NoFilterParams,
    behaviour: ProjectBehaviour,
  },
  {
    kind: 'actor',
    plural: 'actors',
    add: AddActorParams,
    filter: ActorFilterParams,
    behaviour: ActorBehaviour,
  },
  {
    kind: 'action',
    plural: 'actions',
    add: AddActionParams,
    filter: ActionFilterParams,
    behaviour: ActionBehaviour,
    counted: { facet: 'state', values: ['available', 'archived', 'draft'] },
  },
  {
    kind: 'validation',
    plural: 'validations',
    add: AddValidationParams,
    filter: ValidationFilterParams,
    behaviour: ValidationBehaviour,
    counted: { facet: 'mode', values: ['required', 'informational'] },
  },
];
