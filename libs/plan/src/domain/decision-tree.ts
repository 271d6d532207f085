import type { JsonValue } from '@cleveragents/kernel';
import type { CorrectionMode } from './correction.js';
import type { Phase } from './plan-state.js';

export const DECISION_TYPES = [
  'prompt_definition',
  'invariant_enforced',
  'strategy_choice',
  'implementation_choice',
  'tool_invocation',
  'validation_response',
  'error_recovery',
  'user_intervention',
  'reversion',
  'subplan_spawn',
  'subplan_parallel_spawn',
] as const;
export type DecisionType = (typeof DECISION_TYPES)[number];

export interface Alternative {
  /** Counts from 1. */
  readonly index: number;
  readonly description: string;
  readonly chosen: boolean;
  readonly reasonRejected?: string;
}

export interface AppliedCorrection {
  readonly id: string;
  readonly mode: CorrectionMode;
  /** The commits that the plan's sandboxes held before, one range per target; empty where there were none. */
  readonly archived: readonly ArchivedRange[];
}

export interface ArchivedRange {
  readonly repository: string;
  readonly targetBranch: string;
  readonly baseCommit: string;
  readonly head: string;
}

/** One persisted choice point of a plan. */
export interface Decision {
  readonly id: string;
  readonly planId: string;
  /** null only for the root. */
  readonly parentId: string | null;
  /** Order of recording within the plan, from 1. */
  readonly sequence: number;
  readonly phase: Phase;
  readonly attempt: number;
  readonly type: DecisionType;
  readonly question: string;
  readonly chosen: string;
  readonly alternatives: readonly Alternative[];
  /** 0 to 1; null where nobody weighed anything. */
  readonly confidence: number | null;
  readonly rationale: string;
  readonly contextSnapshot: { readonly items: readonly JsonValue[]; readonly hotContextHash: string | null };
  /** Earlier decisions that this one rests on, besides its parent. */
  readonly influences: readonly string[];
  /** The sandbox state that the decision started from. */
  readonly checkpointBefore: string | null;
  /** Paths that the decision changed. */
  readonly artifacts: readonly string[];
  /** The step that it is about. */
  readonly stepId: string | null;
  readonly childPlanId: string | null;
  readonly isSuperseded: boolean;
  readonly supersededBy: string | null;
  readonly corrects: string | null;
  /** The correction that made this decision. */
  readonly correction: AppliedCorrection | null;
  readonly actor: string;
  readonly createdAt: Date;
}

export interface DecisionNode {
  readonly decision: Decision;
  readonly children: readonly DecisionNode[];
}

export interface TreeSummary {
  readonly nodes: number;
  /** Number of levels. */
  readonly depth: number;
  readonly childPlans: number;
  readonly invariants: number;
  readonly superseded: number;
}

/** The tree that hangs on the root, children in order of recording; null before there is a root. */
export function buildTree(decisions: readonly Decision[], limits: TreeLimits = {}): DecisionNode | null {
  const visible = decisions.filter((decision) => limits.showSuperseded === true || !decision.isSuperseded);
  const root = visible.find((decision) => decision.parentId === null);
  return root === undefined ? null : nodeOf(root, childrenByParent(visible), limits.depth ?? Infinity);
}

export interface TreeLimits {
  readonly showSuperseded?: boolean;
  /** Number of levels to show. */
  readonly depth?: number;
}

function nodeOf(decision: Decision, children: ReadonlyMap<string, Decision[]>, levels: number): DecisionNode {
  const below = levels > 1 ? (children.get(decision.id) ?? []) : [];
  return { decision, children: below.map((child) => nodeOf(child, children, levels - 1)) };
}

function childrenByParent(decisions: readonly Decision[]): Map<string, Decision[]> {
  const children = new Map<string, Decision[]>();
  for (const decision of [...decisions].sort((a, b) => a.sequence - b.sequence)) {
    if (decision.parentId === null) continue;
    children.set(decision.parentId, [...(children.get(decision.parentId) ?? []), decision]);
  }
  return children;
}

/** Counts of the whole tree, whatever part of it is shown. */
export function summarise(decisions: readonly Decision[]): TreeSummary {
  const current = decisions.filter((decision) => !decision.isSuperseded);
  return {
    nodes: current.length,
    depth: depthOf(buildTree(current)),
    childPlans: current.filter((decision) => decision.childPlanId !== null).length,
    invariants: current.filter((decision) => decision.type === 'invariant_enforced').length,
    superseded: decisions.length - current.length,
  };
}

function depthOf(node: DecisionNode | null): number {
  return node === null ? 0 : 1 + Math.max(0, ...node.children.map(depthOf));
}

/** The decisions a client most often asks for, by a name: root, strategy, invariant_1, … */
export function namedDecisions(decisions: readonly Decision[]): Record<string, string> {
  const named: Record<string, string> = {};
  let invariants = 0;
  for (const { id, type } of decisions.filter((decision) => !decision.isSuperseded)) {
    if (type === 'prompt_definition') named['root'] = id;
    if (type === 'strategy_choice') named['strategy'] = id;
    if (type === 'invariant_enforced') named[`invariant_${(invariants += 1)}`] = id;
  }
  return named;
}

/** Everything that rests on a decision: its descendants and what its influence reached, without itself. */
export function downstreamOf(decisions: readonly Decision[], id: string): Decision[] {
  const current = decisions.filter((decision) => !decision.isSuperseded);
  const reached = new Set([id]);
  for (let before = -1; before !== reached.size;) {
    before = reached.size;
    for (const decision of current) if (restsOn(decision, reached)) reached.add(decision.id);
  }
  return current.filter((decision) => decision.id !== id && reached.has(decision.id));
}

function restsOn(decision: Decision, reached: ReadonlySet<string>): boolean {
  const hasReachedParent = decision.parentId !== null && reached.has(decision.parentId);
  return hasReachedParent || decision.influences.some((influence) => reached.has(influence));
}

/** How much a correction of a decision would throw away. */
export function correctionImpact(downstream: readonly Decision[], isChildApplied: boolean): 'low' | 'medium' | 'high' {
  if (downstream.length > 10 || isChildApplied) return 'high';
  return downstream.length <= 2 && artifactsOf(downstream).length === 0 ? 'low' : 'medium';
}

export function artifactsOf(decisions: readonly Decision[]): string[] {
  return [...new Set(decisions.flatMap((decision) => decision.artifacts))].sort();
}

/** Where an answer of a person is hung: the newest decision that still counts. */
export function currentLeaf(decisions: readonly Decision[]): Decision | null {
  const current = decisions.filter((decision) => !decision.isSuperseded);
  return current.reduce<Decision | null>((leaf, next) => (leaf && leaf.sequence > next.sequence ? leaf : next), null);
}
