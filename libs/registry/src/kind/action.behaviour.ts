import { Injectable } from '@nestjs/common';
import type { FieldProblem, JsonObject } from '@cleveragents/kernel';
import { actionProblems } from '../domain/action-rules.js';
import type { ActionSpec } from '../domain/action-spec.js';
import { type EntityReference, referenceTo } from '../domain/entity-reference.js';
import { present } from '../domain/present.js';
import type { RegistryEntity } from '../domain/registry-entity.js';
import type { AddActionParams } from '../dto/add-action.params.js';
import { PlanUsage } from '../plan-usage.js';
import { type DraftContext, KindBehaviour } from './kind-behaviour.js';

const DEFAULT_ACTORS = { strategy_actor: 'builtin/strategist', execution_actor: 'builtin/executor' } as const;
const FURTHER_ACTORS = ['estimation_actor', 'review_actor', 'apply_actor', 'invariant_actor'] as const;
const REQUIRED_ACTORS = ['strategy_actor', 'execution_actor'] as const;

@Injectable()
export class ActionBehaviour extends KindBehaviour<'action', AddActionParams> {
  constructor(private readonly usage: PlanUsage) {
    super();
  }

  override toSpec(params: AddActionParams, context: DraftContext): ActionSpec {
    const { automation_profile: profile, description, labels, long_description, safety_profile } = params;
    const further = FURTHER_ACTORS.map((role) => [role, nameOf(params, role, context)] as const);
    return {
      ...present({ labels, long_description, safety_profile }),
      ...present({
        automation_profile: profile && context.nameOf('automation_profile', profile, 'automation_profile'),
      }),
      ...present(Object.fromEntries(further)),
      description,
      definition_of_done: params.definition_of_done,
      strategy_actor: nameOf(params, 'strategy_actor', context) ?? DEFAULT_ACTORS.strategy_actor,
      execution_actor: nameOf(params, 'execution_actor', context) ?? DEFAULT_ACTORS.execution_actor,
      arguments: (params.arguments ?? []).map((argument) => ({
        ...argument,
        required: argument.required ?? false,
        secret: argument.secret ?? false,
      })),
      reusable: params.reusable ?? true,
      read_only: params.read_only ?? false,
      state: params.state ?? 'available',
      invariants: params.invariants ?? [],
    };
  }

  override paramsProblems(params: AddActionParams, { isSingleUser }: DraftContext): FieldProblem[] {
    if (isSingleUser) return [];
    return REQUIRED_ACTORS.filter((role) => params[role] === undefined).map((path) => ({
      path,
      message: 'is required',
    }));
  }

  override problems(spec: ActionSpec): FieldProblem[] {
    return actionProblems(spec);
  }

  override references(spec: ActionSpec): EntityReference[] {
    return [
      ...[...REQUIRED_ACTORS, ...FURTHER_ACTORS].flatMap((role) => referenceTo('actor', spec[role], role)),
      ...referenceTo('automation_profile', spec.automation_profile, 'automation_profile'),
    ];
  }

  override facets({ state }: ActionSpec): Record<string, string> {
    return { state };
  }

  override async listItems(entities: readonly RegistryEntity<'action'>[]): Promise<readonly JsonObject[]> {
    const names = entities.map(({ name }) => name);
    const plansOf = await this.usage.of('action', names);
    return entities.map(({ name, spec }) => ({
      state: spec.state,
      strategy_actor: spec.strategy_actor,
      execution_actor: spec.execution_actor,
      reusable: spec.reusable,
      plans: plansOf(name).total,
    }));
  }
}

type ActorRole = (typeof REQUIRED_ACTORS)[number] | (typeof FURTHER_ACTORS)[number];

function nameOf(params: AddActionParams, role: ActorRole, context: DraftContext): string | undefined {
  const text = params[role];
  return text === undefined ? undefined : context.nameOf('actor', text, role);
}
