import { Injectable } from '@nestjs/common';
import { type FieldProblem, type JsonObject, type JsonValue, ResourceNotFoundError } from '@cleveragents/kernel';
import { BuiltInEntities } from '../built-in/built-in-entities.js';
import { type EntityReference, referenceTo } from '../domain/entity-reference.js';
import { globProblem } from '../domain/pattern.js';
import { present } from '../domain/present.js';
import type { ProjectSpec } from '../domain/project-spec.js';
import type { RegistryEntity } from '../domain/registry-entity.js';
import { repeatProblems } from '../domain/unique.js';
import type { AddProjectParams } from '../dto/add-project.params.js';
import { PlanUsage } from '../plan-usage.js';
import { RegistryReader } from '../registry-reader.js';
import { type DraftContext, KindBehaviour, type ShowContext, type ShownEntity } from './kind-behaviour.js';

@Injectable()
export class ProjectBehaviour extends KindBehaviour<'project', AddProjectParams> {
  constructor(
    private readonly reader: RegistryReader,
    private readonly builtIns: BuiltInEntities,
    private readonly usage: PlanUsage,
  ) {
    super();
  }

  override toSpec(params: AddProjectParams, { nameOf }: DraftContext): ProjectSpec {
    const actor = (text: string | undefined, path: string) =>
      text === undefined ? undefined : nameOf('actor', text, path);
    const { automation_profile: profile, context_policy, defaults, description, labels } = params;
    return {
      ...present({ description, labels, context_policy }),
      ...present({
        automation_profile: profile && nameOf('automation_profile', profile, 'automation_profile'),
      }),
      resources: (params.resources ?? []).map((name, index) => nameOf('resource', name, `resources.${index}`)),
      invariants: params.invariants ?? [],
      validations: (params.validations ?? []).map(({ name, mode, args }, index) => ({
        ...present({ mode, args }),
        name: nameOf('validation', name, `validations.${index}.name`),
      })),
      defaults: present({
        strategy_actor: actor(defaults?.strategy_actor, 'defaults.strategy_actor'),
        execution_actor: actor(defaults?.execution_actor, 'defaults.execution_actor'),
      }),
      config_globs: params.config_globs ?? [],
    };
  }

  override problems({ resources, validations, config_globs: globs }: ProjectSpec): FieldProblem[] {
    return [
      ...repeatProblems(resources, (index) => `resources.${index}`),
      ...repeatProblems(
        validations.map((validation) => validation.name),
        (index) => `validations.${index}.name`,
      ),
      ...globs.flatMap((glob, index) => {
        const message = globProblem(glob);
        return message === null ? [] : [{ path: `config_globs.${index}`, message }];
      }),
    ];
  }

  /** Whoever links a resource lets the project's plans change it, so the right is needed where the resource lives. */
  override references(spec: ProjectSpec): EntityReference[] {
    return [
      ...spec.resources.map((name, index): EntityReference => ({
        kind: 'resource',
        name,
        path: `resources.${index}`,
        role: 'maintainer',
        isForWriting: true,
      })),
      ...referenceTo('automation_profile', spec.automation_profile, 'automation_profile'),
      ...spec.validations.flatMap(({ name }, index) => referenceTo('validation', name, `validations.${index}.name`)),
      ...referenceTo('actor', spec.defaults.strategy_actor, 'defaults.strategy_actor'),
      ...referenceTo('actor', spec.defaults.execution_actor, 'defaults.execution_actor'),
    ];
  }

  override async listItems(entities: readonly RegistryEntity<'project'>[]): Promise<readonly JsonObject[]> {
    return entities.map(({ spec }) => ({
      description: spec.description ?? null,
      resources: [...spec.resources],
      automation_profile: spec.automation_profile ?? null,
    }));
  }

  override async show(entity: RegistryEntity<'project'>, { principal }: ShowContext): Promise<ShownEntity> {
    const { spec, name } = entity;
    const resources = await Promise.all(spec.resources.map((resource) => this.linked(resource, principal)));
    const attached = await this.reader.validationsAttachedTo(entity, []);
    const { active, total } = (await this.usage.of('project', [name]))(name);
    return {
      body: {
        linked_resources: resources.filter((resource) => resource !== null),
        effective_invariants: spec.invariants.map((text) => ({ text, scope: 'project' })),
        validations: attached.map(({ validation, mode, args }) => ({ name: validation.name, mode, args })),
        context: (spec.context_policy ?? null) as JsonValue,
        plans: { active, total },
      },
    };
  }

  private async linked(name: string, principal: ShowContext['principal']): Promise<JsonObject | null> {
    try {
      const { spec } = await this.reader.get('resource', name, principal);
      const strategy = this.builtIns.find('resource_type', spec.type)?.spec.sandbox.strategy ?? null;
      return { name, type: spec.type, read_only: spec.read_only, sandbox_strategy: strategy };
    } catch (error) {
      if (error instanceof ResourceNotFoundError) return null;
      throw error;
    }
  }
}
