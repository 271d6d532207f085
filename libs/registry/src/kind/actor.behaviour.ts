import { Injectable } from '@nestjs/common';
import type { FieldProblem, JsonObject, JsonValue } from '@cleveragents/kernel';
import { BuiltInEntities } from '../built-in/built-in-entities.js';
import { actorFieldProblems } from '../domain/actor-fields.js';
import type { ActorSpec } from '../domain/actor-spec.js';
import { type EntityReference, referenceTo } from '../domain/entity-reference.js';
import { graphProblems } from '../domain/graph-rules.js';
import type { RegistryEntity } from '../domain/registry-entity.js';
import { toolActorProblems } from '../domain/tool-actor-rules.js';
import { repeatProblems } from '../domain/unique.js';
import type { AddActorParams } from '../dto/add-actor.params.js';
import { PlanUsage } from '../plan-usage.js';
import { actorSpecOf } from './actor-spec-of.js';
import { type DraftContext, KindBehaviour, type ShowContext, type ShownEntity } from './kind-behaviour.js';

/** Converses when nobody names another actor. */
const DEFAULT_ACTOR = 'builtin/assistant';

@Injectable()
export class ActorBehaviour extends KindBehaviour<'actor', AddActorParams> {
  constructor(
    private readonly builtIns: BuiltInEntities,
    private readonly usage: PlanUsage,
  ) {
    super();
  }

  override paramsProblems(params: AddActorParams): FieldProblem[] {
    return actorFieldProblems(params);
  }

  override toSpec(params: AddActorParams, context: DraftContext): ActorSpec {
    return actorSpecOf(params, context);
  }

  override problems(spec: ActorSpec): FieldProblem[] {
    if (spec.type === 'tool') return toolActorProblems(spec);
    if (spec.type === 'a2a') return [];
    const repeats = [
      ...repeatProblems(spec.skills, (index) => `skills.${index}`),
      ...repeatProblems(spec.tools, (index) => `tools.${index}`),
    ];
    return spec.type === 'graph' ? [...repeats, ...graphProblems(spec.graph)] : repeats;
  }

  override references(spec: ActorSpec): EntityReference[] {
    const servers = spec.lsp_servers.flatMap((name, index) => referenceTo('lsp', name, `lsp_servers.${index}`));
    if (spec.type === 'a2a') return servers;
    if (spec.type === 'tool') {
      return [...servers, ...spec.steps.flatMap(({ tool }, index) => referenceTo('tool', tool, `steps.${index}.tool`))];
    }
    const nodes = spec.type === 'graph' ? spec.graph.nodes : [];
    return [
      ...servers,
      ...spec.skills.flatMap((name, index) => referenceTo('skill', name, `skills.${index}`)),
      ...spec.tools.flatMap((name, index) => referenceTo('tool', name, `tools.${index}`)),
      ...nodes.flatMap(({ actor }, index) => referenceTo('actor', actor, `graph.nodes.${index}.actor`)),
      ...nodes.flatMap(({ tool }, index) => referenceTo('tool', tool, `graph.nodes.${index}.tool`)),
    ];
  }

  override facets(spec: ActorSpec): Record<string, string> {
    return spec.type === 'llm' ? { type: spec.type, provider: spec.provider } : { type: spec.type };
  }

  override async listItems(entities: readonly RegistryEntity<'actor'>[]): Promise<readonly JsonObject[]> {
    return entities.map(({ name, spec }) => ({
      type: spec.type,
      provider: spec.type === 'llm' ? spec.provider : null,
      model: spec.type === 'llm' ? spec.model : null,
      default: name === DEFAULT_ACTOR,
      unsafe: spec.unsafe,
    }));
  }

  override async show(entity: RegistryEntity<'actor'>, { referencedBy }: ShowContext): Promise<ShownEntity> {
    const { name, spec } = entity;
    const tools = toolsOf(spec);
    const actions = referencedBy.filter(({ kind }) => kind === 'action').map((action) => action.name);
    const { total } = (await this.usage.of('actor', [name]))(name);
    const [details] = await this.listItems([entity]);
    return {
      sections: {
        actor_details: { name, ...details, context_view: spec.context_view ?? null },
        options: spec.type === 'llm' ? spec.options : {},
        graph_structure: graphStructure(spec),
        tools,
        access: this.accessOf(spec, tools),
        usage: { referenced_by_actions: actions, active_in_sessions: 0, total_runs: total, avg_cost_per_run: null },
      },
    };
  }

  private accessOf(spec: ActorSpec, tools: readonly string[]): JsonObject {
    const used = tools.flatMap((tool) => this.builtIns.find('tool', tool)?.spec ?? []);
    return {
      unsafe: spec.unsafe || used.some((tool) => tool.unsafe),
      filesystem: used.length > 0,
      network: spec.type === 'a2a' || used.some((tool) => tool.network),
    };
  }
}

function toolsOf(spec: ActorSpec): string[] {
  if (spec.type === 'a2a') return [];
  if (spec.type === 'tool') return [...new Set(spec.steps.map(({ tool }) => tool))];
  const ofNodes = spec.type === 'graph' ? spec.graph.nodes.flatMap(({ tool }) => tool ?? []) : [];
  return [...new Set([...spec.tools, ...ofNodes])];
}

function graphStructure(spec: ActorSpec): JsonValue {
  if (spec.type !== 'graph') return null;
  const { nodes, edges, entry, exits } = spec.graph;
  return { nodes, edges, entry, exit: exits } as unknown as JsonValue;
}
