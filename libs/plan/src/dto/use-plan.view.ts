import { IsArray, IsInt, IsObject, IsString } from 'class-validator';
import type { JsonObject } from '@cleveragents/kernel';
import { maskSecrets } from '../plan-arguments.js';
import type { PlanSnapshot } from '../plan-snapshot.entity.js';
import type { PlanRow } from '../plan.entity.js';
import { PlanHeadView, toPlanHead } from './plan-head.view.js';

/** Result of plan/use. */
export class UsePlanView extends PlanHeadView {
  @IsString()
  namespaced_name: string;

  @IsString()
  action: string;

  /** The first of `projects`. */
  @IsString()
  project: string;

  @IsArray()
  @IsString({ each: true })
  projects: string[];

  @IsString()
  automation_profile: string;

  @IsInt()
  attempt: number;

  @IsObject()
  inputs: JsonObject;

  @IsObject()
  actors: { strategy: string; execution: string; estimation: string | null };

  @IsObject()
  automation: { profile: string; source: string; read_only: boolean };

  /** The figures are null as long as no context has been assembled for the plan. */
  @IsObject()
  context: { resources: number; indexed_files: number | null; view: string; hot_token_budget: number | null };

  @IsString()
  task_id: string;

  @IsArray()
  @IsString({ each: true })
  next_steps: string[];

  @IsArray()
  @IsString({ each: true })
  warnings: string[];
}

export function toUsePlanView(plan: PlanRow, snapshot: PlanSnapshot): UsePlanView {
  const { action, actors, profile, projects, targets, validations } = snapshot;
  return {
    ...toPlanHead(plan),
    namespaced_name: plan.name,
    action: plan.action,
    project: plan.project,
    projects: projects.map(({ name }) => name),
    automation_profile: profile.name,
    attempt: plan.attempt,
    inputs: maskSecrets(action.spec.arguments, snapshot.arguments),
    actors: { strategy: actors.strategy.name, execution: actors.execution.name, estimation: actors.estimation },
    automation: { profile: profile.name, source: profile.source, read_only: plan.isReadOnly },
    context: { resources: targets.length, indexed_files: null, view: 'strategize', hot_token_budget: null },
    task_id: plan.taskId,
    next_steps: ['plan/execute', 'plan/status', 'plan/tree'],
    warnings: validations.length === 0 ? ['No validation is attached: nothing will be checked before apply'] : [],
  };
}
