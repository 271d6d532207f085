import type { JsonObject } from '@cleveragents/kernel';
import type { Artifact, Message } from '@cleveragents/protocol';
import type { Strategy } from '@cleveragents/actor';
import type { ChangeSet } from '@cleveragents/workspace';
import { allowedMethods } from './domain/plan-state.js';
import { situationOf, stageOfPlan } from './plan-situation.js';
import type { PlanRow } from './plan.entity.js';

/** What the status of a plan's task says: what happened and what is asked, for people; and the same for programs. */
export function statusMessage(plan: PlanRow, messageId: string, text?: string): Message {
  const sentences = [text, plan.awaiting?.prompt].filter((sentence) => sentence !== undefined);
  const told = sentences.length === 0 ? `${plan.phase}: ${plan.state}` : sentences.join('\n');
  return {
    messageId,
    role: 'ROLE_AGENT',
    taskId: plan.taskId,
    contextId: plan.contextId,
    parts: [{ text: told }, { data: statusData(plan), mediaType: 'application/json' }],
  };
}

function statusData(plan: PlanRow): JsonObject {
  const { id, phase, state, awaiting } = plan;
  return {
    plan_id: id,
    phase,
    state,
    status: stageOfPlan(plan),
    awaiting: awaiting === null ? null : { kind: awaiting.kind, decision_id: awaiting.decisionId },
    allowed_methods: allowedMethods(situationOf(plan)),
  };
}

export function strategyArtifact(strategy: Strategy): Artifact {
  const steps = strategy.steps.map(({ id, description, tool, confidence }) => ({ id, description, tool, confidence }));
  const { id, title, confidence } = strategy;
  const lines = [`${title} (${id})`, ...strategy.steps.map((step) => `- ${step.description}`)];
  return artifact('strategy', lines.join('\n'), { id, title, confidence, steps });
}

export function stepArtifact(step: string, summary: string, data: JsonObject): Artifact {
  return artifact(`step:${step}`, summary, data);
}

export function validationArtifact(name: string, summary: string, data: JsonObject): Artifact {
  return artifact(`validation:${name}`, summary, data);
}

/** The patch itself, so that a client can show it as it is, and its figures. */
export function diffArtifact(changes: readonly ChangeSet[]): Artifact {
  const patch = changes.map((change) => change.patch).join('');
  return {
    artifactId: 'diff',
    name: 'diff',
    parts: [
      { text: patch, mediaType: 'text/x-diff' },
      { data: diffFigures(changes), mediaType: 'application/json' },
    ],
  };
}

function diffFigures(changes: readonly ChangeSet[]): JsonObject {
  return {
    files_changed: sum(changes.map((change) => change.filesChanged)),
    insertions: sum(changes.map((change) => change.insertions)),
    deletions: sum(changes.map((change) => change.deletions)),
    truncated: changes.some((change) => change.isTruncated),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, next) => total + next, 0);
}

function artifact(name: string, text: string, data: JsonObject): Artifact {
  return { artifactId: name, name, parts: [{ text }, { data, mediaType: 'application/json' }] };
}
