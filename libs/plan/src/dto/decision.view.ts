import { IsArray, IsBoolean, IsInt, IsNumber, IsObject, IsOptional, IsString } from 'class-validator';
import type { JsonValue } from '@cleveragents/kernel';
import {
  artifactsOf,
  correctionImpact,
  downstreamOf,
  type Alternative,
  type Decision,
} from '../domain/decision-tree.js';
import type { PlanRow } from '../plan.entity.js';
import { PlanHeadView, toPlanHead } from './plan-head.view.js';

/** Result of plan/explain. */
export class DecisionView extends PlanHeadView {
  @IsString()
  decision_id: string;

  @IsString()
  type: string;

  @IsString()
  question: string;

  @IsString()
  chosen: string;

  @IsOptional()
  @IsNumber()
  confidence: number | null;

  @IsInt()
  sequence: number;

  @IsInt()
  sequence_total: number;

  @IsString()
  created: string;

  /** Counted from 1. */
  @IsArray()
  alternatives: { index: number; description: string; chosen: boolean; reason_rejected?: string }[];

  @IsObject()
  impact: {
    downstream_decisions: number;
    downstream_child_plans: number;
    artifacts_produced: number;
    correction_impact: 'low' | 'medium' | 'high';
  };

  @IsObject()
  context_snapshot: { items: JsonValue[]; hot_context_hash: string | null };

  @IsString()
  rationale: string;

  @IsBoolean()
  superseded: boolean;

  @IsOptional()
  @IsString()
  corrects: string | null;

  @IsString()
  correction_hint: string;
}

export function toDecisionView(plan: PlanRow, decision: Decision, decisions: readonly Decision[]): DecisionView {
  const { id, type, question, chosen, confidence, sequence, rationale, corrects, contextSnapshot } = decision;
  return {
    ...toPlanHead(plan),
    decision_id: id,
    type,
    question,
    chosen,
    confidence,
    sequence,
    rationale,
    corrects,
    sequence_total: decisions.length,
    created: decision.createdAt.toISOString(),
    alternatives: decision.alternatives.map(toAlternativeView),
    impact: impactOf(decision, decisions),
    context_snapshot: { items: [...contextSnapshot.items], hot_context_hash: contextSnapshot.hotContextHash },
    superseded: decision.isSuperseded,
    correction_hint: hintFor(decision),
  };
}

function toAlternativeView({ reasonRejected, ...alternative }: Alternative): DecisionView['alternatives'][number] {
  return { ...alternative, ...(reasonRejected === undefined ? {} : { reason_rejected: reasonRejected }) };
}

function impactOf(decision: Decision, decisions: readonly Decision[]): DecisionView['impact'] {
  const downstream = downstreamOf(decisions, decision.id);
  return {
    downstream_decisions: downstream.length,
    downstream_child_plans: downstream.filter(({ childPlanId }) => childPlanId !== null).length,
    artifacts_produced: artifactsOf([decision, ...downstream]).length,
    correction_impact: correctionImpact(downstream, false),
  };
}

function hintFor({ isSuperseded, alternatives }: Decision): string {
  if (isSuperseded) return 'superseded: the decision that replaced it is the one to correct';
  return alternatives.length > 1
    ? 'another alternative can be chosen in its place'
    : 'it has no alternative; what it rests on may have one';
}
