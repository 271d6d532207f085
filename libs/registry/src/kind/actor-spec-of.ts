import type { ActorGraph, ActorSpec, ActorStep, ActorStrategy } from '../domain/actor-spec.js';
import type { Condition } from '../domain/condition.js';
import { present } from '../domain/present.js';
import type { ActorGraphParams, ActorStepParams, ActorStrategyParams } from '../dto/actor-part.params.js';
import type { AddActorParams } from '../dto/add-actor.params.js';
import type { DraftContext } from './kind-behaviour.js';

const BREAKER = { window: 20, failure_rate: 0.5, open_s: 30 };

/** The spec of params whose fields fit their type. */
export function actorSpecOf(params: AddActorParams, context: DraftContext): ActorSpec {
  const { context_view, description, labels } = params;
  const common = {
    ...present({ description, labels, context_view }),
    unsafe: params.unsafe ?? false,
    lsp_servers: namesOf('lsp', params.lsp_servers, 'lsp_servers', context),
  };
  switch (params.type) {
    case 'tool':
      return { ...common, type: 'tool', ...deterministicPart(params, context) };
    case 'llm':
      return { ...common, type: 'llm', ...modelPart(params), ...toolset(params, context) };
    case 'graph':
      return { ...common, type: 'graph', graph: graphOf(params.graph, context), ...toolset(params, context) };
    case 'a2a':
      return { ...common, type: 'a2a', ...remotePart(params) };
  }
}

function deterministicPart({ strategies, steps }: AddActorParams, context: DraftContext) {
  return {
    strategies: (strategies ?? []).map(strategyOf),
    steps: (steps ?? []).map((step, index) => stepOf(step, `steps.${index}`, context)),
  };
}

function strategyOf({ id, title, when, confidence, steps }: ActorStrategyParams): ActorStrategy {
  return {
    id,
    title: title ?? id,
    ...present({ when: when as Condition | undefined }),
    confidence: confidence ?? 1,
    steps,
  };
}

function stepOf(step: ActorStepParams, path: string, { nameOf }: DraftContext): ActorStep {
  const { id, title, when } = step;
  return {
    id,
    ...present({ title, when: when as Condition | undefined }),
    tool: nameOf('tool', step.tool, `${path}.tool`),
    inputs: step.inputs ?? {},
    on_error: step.on_error ?? 'stop',
    confidence: step.confidence ?? 1,
  };
}

function modelPart({ actor, provider, model, options, system_prompt }: AddActorParams) {
  const slash = actor?.indexOf('/') ?? -1;
  return {
    provider: provider ?? actor?.slice(0, slash) ?? '',
    model: model ?? actor?.slice(slash + 1) ?? '',
    options: options ?? {},
    ...present({ system_prompt }),
  };
}

function toolset({ skills, tools }: AddActorParams, context: DraftContext) {
  return { skills: namesOf('skill', skills, 'skills', context), tools: namesOf('tool', tools, 'tools', context) };
}

function graphOf(graph: ActorGraphParams | undefined, { nameOf }: DraftContext): ActorGraph {
  const { nodes, edges, entry, exits, max_iterations } = graph ?? { nodes: [], edges: [], entry: '', exits: [] };
  return {
    nodes: nodes.map(({ id, type, actor, tool, inputs }, index) => ({
      id,
      type,
      ...present({
        actor: actor && nameOf('actor', actor, `graph.nodes.${index}.actor`),
        tool: tool && nameOf('tool', tool, `graph.nodes.${index}.tool`),
        inputs,
      }),
    })),
    edges: edges.map(({ from, to, when }) => ({ from, to, ...present({ when: when as Condition | undefined }) })),
    entry,
    exits,
    ...present({ max_iterations }),
  };
}

function remotePart(params: AddActorParams) {
  const { auth, card, card_url, working_limit_s } = params;
  return {
    ...present({ auth, card, card_url, working_limit_s }),
    allowed_skills: params.allowed_skills ?? [],
    allowed_callers: params.allowed_callers ?? [],
    signature: params.signature ?? ('prefer' as const),
    timeout_s: params.timeout_s ?? 30,
    stream: params.stream ?? ('auto' as const),
    breaker: { ...BREAKER, ...params.breaker },
  };
}

function namesOf(
  kind: 'skill' | 'tool' | 'lsp',
  names: readonly string[] | undefined,
  path: string,
  { nameOf }: DraftContext,
): string[] {
  return (names ?? []).map((name, index) => nameOf(kind, name, `${path}.${index}`));
}
