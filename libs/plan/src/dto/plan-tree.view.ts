import { IsArray, IsObject, IsOptional } from 'class-validator';
import {
  buildTree,
  namedDecisions,
  summarise,
  type Decision,
  type DecisionNode,
  type TreeLimits,
} from '../domain/decision-tree.js';
import type { PlanRow } from '../plan.entity.js';
import { PlanHeadView, toPlanHead } from './plan-head.view.js';

export interface TreeNodeView {
  readonly decision_id: string;
  readonly type: string;
  readonly description: string;
  readonly confidence?: number;
  readonly superseded?: true;
  /** Of a decision that spawned a child plan. */
  readonly plan_id?: string;
  readonly children: TreeNodeView[];
}

/** Result of plan/tree. */
export class PlanTreeView extends PlanHeadView {
  /** null before anything was decided. */
  @IsOptional()
  @IsObject()
  tree: TreeNodeView | null;

  @IsObject()
  summary: { nodes: number; depth: number; child_plans: number; invariants: number; superseded: number };

  @IsArray()
  child_plans: { id: string; phase: string; state: string }[];

  @IsObject()
  decision_ids: Record<string, string>;
}

export function toPlanTreeView(plan: PlanRow, decisions: readonly Decision[], limits: TreeLimits): PlanTreeView {
  const tree = buildTree(decisions, limits);
  const { childPlans, ...summary } = summarise(decisions);
  return {
    ...toPlanHead(plan),
    tree: tree === null ? null : toNodeView(tree),
    summary: { ...summary, child_plans: childPlans },
    child_plans: [],
    decision_ids: namedDecisions(decisions),
  };
}

function toNodeView({ decision, children }: DecisionNode): TreeNodeView {
  const { id, type, chosen, confidence, isSuperseded, childPlanId } = decision;
  return {
    decision_id: id,
    type,
    description: chosen,
    ...(confidence === null ? {} : { confidence }),
    ...(isSuperseded ? { superseded: true } : {}),
    ...(childPlanId === null ? {} : { plan_id: childPlanId }),
    children: children.map(toNodeView),
  };
}
