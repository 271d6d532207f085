import { Injectable } from '@nestjs/common';
import { type FieldProblem, type JsonObject, ValidationError } from '@cleveragents/kernel';
import { BuiltInEntities } from '../built-in/built-in-entities.js';
import { type EntityReference, referenceTo } from '../domain/entity-reference.js';
import { present } from '../domain/present.js';
import type { RegistryEntity } from '../domain/registry-entity.js';
import { propertyProblems } from '../domain/resource-rules.js';
import type { ResourceSpec, ResourceTypeSpec } from '../domain/resource-spec.js';
import type { AddResourceParams } from '../dto/add-resource.params.js';
import { type DraftContext, KindBehaviour, type ShowContext, type ShownEntity } from './kind-behaviour.js';
import { type ProbedResource, ResourceProbe } from './resource-probe.js';

@Injectable()
export class ResourceBehaviour extends KindBehaviour<'resource', AddResourceParams> {
  constructor(
    private readonly builtIns: BuiltInEntities,
    private readonly probe: ResourceProbe,
  ) {
    super();
  }

  override toSpec(params: AddResourceParams, { nameOf }: DraftContext): ResourceSpec {
    const parent = params.parent === undefined ? undefined : nameOf('resource', params.parent, 'parent');
    return {
      ...present({ description: params.description, labels: params.labels, parent }),
      type: nameOf('resource_type', params.type, 'type'),
      properties: params.properties as unknown as ResourceSpec['properties'],
      read_only: params.read_only ?? false,
    };
  }

  override problems(spec: ResourceSpec): FieldProblem[] {
    const type = this.typeOf(spec);
    return type === undefined ? [] : propertyProblems(spec.properties, spec.type, type.cli_arguments);
  }

  override references(spec: ResourceSpec): EntityReference[] {
    return [...referenceTo('resource_type', spec.type, 'type'), ...referenceTo('resource', spec.parent, 'parent')];
  }

  override facets(spec: ResourceSpec): Record<string, string> {
    return { type: spec.type, read_only: String(spec.read_only) };
  }

  override async verify(spec: ResourceSpec): Promise<void> {
    const type = this.typeOf(spec);
    if (type !== undefined) await this.probe.probe(type.sandbox.handler, spec.properties);
  }

  override async listItems(entities: readonly RegistryEntity<'resource'>[]): Promise<readonly JsonObject[]> {
    return entities.map(({ spec }) => ({
      type: spec.type,
      sandbox: this.typeOf(spec)?.sandbox.strategy ?? null,
      read_only: spec.read_only,
    }));
  }

  override async show({ spec }: RegistryEntity<'resource'>, { referencedBy }: ShowContext): Promise<ShownEntity> {
    const type = this.typeOf(spec);
    const projects = referencedBy.filter(({ kind }) => kind === 'project').map(({ name }) => name);
    const kind = type?.physical_virtual ?? null;
    if (type === undefined)
      return { body: { kind, location: spec.properties.path, children: [], projects, head: null } };
    const probed = await this.probeAgain(type, spec);
    const warnings = probed === null ? ['The resource cannot be read at the moment; head is unknown.'] : [];
    const location = probed?.location ?? spec.properties.path;
    return { body: { kind, location, children: childrenOf(probed), projects, head: headOf(probed) }, warnings };
  }

  /** What was there when it was registered may be gone: that is a remark, not a failure. */
  private async probeAgain(type: ResourceTypeSpec, spec: ResourceSpec): Promise<ProbedResource | null> {
    try {
      return await this.probe.probe(type.sandbox.handler, spec.properties);
    } catch (error) {
      if (error instanceof ValidationError) return null;
      throw error;
    }
  }

  private typeOf({ type }: ResourceSpec): ResourceTypeSpec | undefined {
    return this.builtIns.find('resource_type', type)?.spec;
  }
}

function childrenOf(probed: ProbedResource | null): JsonObject[] {
  if (probed === null || probed.repository === null) return [];
  const { location, repository } = probed;
  if (repository.isBare) return [{ type: 'git', location }];
  return [
    { type: 'git', location: `${location}/.git` },
    { type: 'fs-directory', location },
  ];
}

function headOf(probed: ProbedResource | null): JsonObject | null {
  if (probed === null || probed.repository === null) return null;
  const { headBranch, headCommit, isDirty } = probed.repository;
  return { branch: headBranch, commit: headCommit, dirty: isDirty };
}
