import { Injectable } from '@nestjs/common';
import { Authorizer } from '@cleveragents/auth';
import { BusinessRuleViolation, ResourceNotFoundError, ValidationError, type Principal } from '@cleveragents/kernel';
import { RegistryReader, type RegistryEntity } from '@cleveragents/registry';
import { ActorChoice } from './actor-choice.js';
import { commitIdentityOf } from './commit-identity.js';
import { resolveArguments } from './plan-arguments.js';
import { chooseProfile } from './domain/gates.js';
import type { UsePlanParams } from './dto/use-plan.params.js';
import { freeze } from './frozen.js';
import { plannedValidations } from './planned-validations.js';
import type { Frozen, PlanSnapshot, PlanTarget } from './plan-snapshot.entity.js';
import type { PlanReference } from './plan.repository.js';

/** A plan before it is one: everything checked and frozen, nothing stored. */
export interface PlanDraft {
  readonly snapshot: PlanSnapshot;
  readonly isReadOnly: boolean;
  readonly references: readonly PlanReference[];
}

interface ProjectParts {
  readonly project: RegistryEntity<'project'>;
  readonly resources: readonly RegistryEntity<'resource'>[];
}

/** Resource types that plans can work on: each needs a sandbox of its kind. */
const SANDBOXED_TYPE = 'git-checkout';

/** Turns the wish of `plan/use` into a draft, reading the registry as the caller sees it. */
@Injectable()
export class PlanDrafting {
  constructor(
    private readonly registry: RegistryReader,
    private readonly authorizer: Authorizer,
    private readonly actors: ActorChoice,
  ) {}

  async draft(params: UsePlanParams, principal: Principal): Promise<PlanDraft> {
    const action = await this.usableAction(params.action_name, principal);
    const parts = await this.projectParts([params.project_names].flat(), principal);
    const profile = await this.profileOf(params, action, parts, principal);
    const isReadOnly = params.read_only === true || action.spec.read_only;
    const targets = targetsOf(parts, isReadOnly);
    const snapshot: PlanSnapshot = {
      action: freeze(action),
      projects: parts.map(({ project }) => ({ ...freeze(project), namespace: namespaceOf(project) })),
      targets,
      actors: await this.actors.choose(params, action.spec, parts[0]?.project.spec.defaults ?? {}, principal, profile),
      profile,
      validations: await this.validationsOf(parts, targets),
      arguments: resolveArguments(action.spec.arguments, params.arguments ?? {}),
      author: commitIdentityOf(principal),
    };
    return { snapshot, isReadOnly, references: referencesOf(snapshot, parts) };
  }

  private async usableAction(name: string, principal: Principal): Promise<RegistryEntity<'action'>> {
    const action = await this.registry.get('action', name, principal, 'action_name');
    if (action.spec.state === 'available') return action;
    const details = { state: action.spec.state, allowed: [], action: action.name };
    throw new BusinessRuleViolation(`Action ${action.name} is ${action.spec.state}`, details, {
      reason: 'ACTION_NOT_AVAILABLE',
    });
  }

  private async projectParts(names: readonly string[], principal: Principal): Promise<ProjectParts[]> {
    const parts: ProjectParts[] = [];
    for (const [index, name] of names.entries()) {
      const project = await this.registry.get('project', name, principal, `project_names.${index}`);
      this.authorizer.requireRole(principal, namespaceOf(project), 'operator', () =>
        ResourceNotFoundError.of('Project', { name: project.name }),
      );
      if (parts.some((part) => part.project.name === project.name)) {
        throw ValidationError.of(`project_names.${index}`, `names ${project.name} a second time`);
      }
      parts.push({ project, resources: await this.resourcesOf(project, principal) });
    }
    return parts;
  }

  private async resourcesOf(
    project: RegistryEntity<'project'>,
    principal: Principal,
  ): Promise<RegistryEntity<'resource'>[]> {
    if (project.spec.resources.length === 0) {
      const details = { project: project.name, hint: 'registry/project/update with resources' };
      throw new BusinessRuleViolation(`Project ${project.name} has no resource`, details, { reason: 'EMPTY_PROJECT' });
    }
    return Promise.all(project.spec.resources.map((name) => this.registry.get('resource', name, principal)));
  }

  private async profileOf(
    params: UsePlanParams,
    action: RegistryEntity<'action'>,
    parts: readonly ProjectParts[],
    principal: Principal,
  ): Promise<PlanSnapshot['profile']> {
    const { name, source } = chooseProfile({
      param: params.automation_profile,
      action: action.spec.automation_profile,
      projects: parts.map(({ project }) => project.spec.automation_profile),
    });
    return { ...freeze(await this.registry.automationProfile(name, principal, 'automation_profile')), source };
  }

  private async validationsOf(
    parts: readonly ProjectParts[],
    targets: readonly PlanTarget[],
  ): Promise<PlanSnapshot['validations']> {
    const attached = await Promise.all(
      parts.map(({ project, resources }) => this.registry.validationsAttachedTo(project, resources)),
    );
    return plannedValidations(attached.flat(), targets);
  }
}

/** Projects are never built in. */
function namespaceOf({ name, namespace }: RegistryEntity<'project'>): string {
  if (namespace === null) throw new Error(`Project ${name} has no namespace`);
  return namespace;
}

/** The repositories to work on: those that may be written, or for a plan that only reads, all of them. */
function targetsOf(parts: readonly ProjectParts[], isReadOnly: boolean): PlanTarget[] {
  const all = parts.flatMap(({ project, resources }) => resources.map((resource) => ({ project, resource })));
  const foreign = all.find(({ resource }) => resource.spec.type !== SANDBOXED_TYPE);
  if (foreign !== undefined) throw unsupportedType(foreign.resource);
  const usable = all.filter(({ resource }) => isReadOnly || !resource.spec.read_only);
  if (usable.length === 0) {
    const details = { hint: 'a resource that is not read_only, or read_only:true' };
    throw new BusinessRuleViolation('Every resource of the projects is read-only', details, {
      reason: 'NOTHING_TO_WRITE',
    });
  }
  const byRepository = new Map(usable.map((target) => [target.resource.name, target]));
  return [...byRepository.values()].map(({ project, resource }) => ({
    project: project.name,
    projectNamespace: namespaceOf(project),
    resource: resource.name,
    revision: resource.revision,
    path: resource.spec.properties.path,
    branch: resource.spec.properties.branch ?? null,
    configGlobs: project.spec.config_globs,
  }));
}

function unsupportedType({ name, spec }: RegistryEntity<'resource'>): BusinessRuleViolation {
  return new BusinessRuleViolation(
    `Resource ${name} is of type ${spec.type}; plans work on ${SANDBOXED_TYPE} resources`,
    { resource: name, type: spec.type, supported: [SANDBOXED_TYPE] },
    { reason: 'RESOURCE_TYPE_NOT_SUPPORTED' },
  );
}

/** What the plan uses, so that the registry can tell who uses an entity. */
function referencesOf(snapshot: PlanSnapshot, parts: readonly ProjectParts[]): PlanReference[] {
  const { action, projects, actors, profile, validations } = snapshot;
  const named = (kind: string, items: readonly Pick<Frozen<unknown>, 'name'>[]): PlanReference[] =>
    items.map(({ name }) => ({ kind, name }));
  const references = [
    ...named('action', [action]),
    ...named('project', projects),
    ...named(
      'resource',
      parts.flatMap(({ resources }) => resources),
    ),
    ...named('actor', [actors.strategy, actors.execution]),
    ...named('automation_profile', [profile]),
    ...named('validation', validations),
  ];
  const unique = new Map(references.map((reference) => [`${reference.kind} ${reference.name}`, reference]));
  return [...unique.values()];
}
