import { Injectable } from '@nestjs/common';
import { BusinessRuleViolation, ConfigurationError, type Principal } from '@cleveragents/kernel';
import {
  RegistryReader,
  type ActionSpec,
  type ProjectSpec,
  type RegistryEntity,
  type ToolActorSpec,
} from '@cleveragents/registry';
import type { UsePlanParams } from './dto/use-plan.params.js';
import { freeze } from './frozen.js';
import type { Frozen, PlanSnapshot } from './plan-snapshot.entity.js';

type ActorRole = 'strategy_actor' | 'execution_actor';

/** Decides who plans and who carries out, and that this server can run them. */
@Injectable()
export class ActorChoice {
  constructor(private readonly registry: RegistryReader) {}

  async choose(
    params: UsePlanParams,
    action: ActionSpec,
    defaults: ProjectSpec['defaults'],
    principal: Principal,
    profile: PlanSnapshot['profile'],
  ): Promise<PlanSnapshot['actors']> {
    const runnable = async (role: ActorRole): Promise<Frozen<ToolActorSpec>> => {
      const name = params[role] ?? (isBuiltIn(action[role]) ? defaults[role] : undefined) ?? action[role];
      return requireRunnable(await this.registry.get('actor', name, principal, role), role, profile);
    };
    const estimation = params.estimation_actor ?? action.estimation_actor;
    if (estimation !== undefined) await this.registry.get('actor', estimation, principal, 'estimation_actor');
    return {
      strategy: await runnable('strategy_actor'),
      execution: await runnable('execution_actor'),
      estimation: estimation ?? null,
    };
  }
}

/** Every action names actors; a built-in one is what stands there when its author chose none. */
function isBuiltIn(name: string): boolean {
  return name.startsWith('builtin/');
}

/** An actor that cannot run is refused before there is a plan, not in the middle of one. */
function requireRunnable(
  actor: RegistryEntity<'actor'>,
  role: ActorRole,
  profile: PlanSnapshot['profile'],
): Frozen<ToolActorSpec> {
  const { name, spec } = actor;
  if (spec.type !== 'tool') {
    const message = `Actor ${name} is of type ${spec.type}, and no provider for it is configured on this server`;
    throw new ConfigurationError(message, { key: role, actor: name, type: spec.type });
  }
  if (spec.unsafe && !profile.spec.flags.allow_unsafe_tools) {
    const details = { actor: name, automation_profile: profile.name, hint: 'a profile with allow_unsafe_tools' };
    throw new BusinessRuleViolation(`Profile ${profile.name} does not allow the unsafe actor ${name}`, details, {
      reason: 'UNSAFE_ACTOR',
    });
  }
  return { ...freeze(actor), spec };
}
