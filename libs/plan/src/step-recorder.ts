import { Injectable } from '@nestjs/common';
import type { ProposedCall, StepObserver, StepOutcome } from '@cleveragents/actor';
import { Clock, PlanError, newUlid, type CleverAgentsError, type JsonObject } from '@cleveragents/kernel';
import type { ActorStep } from '@cleveragents/registry';
import { ToolRuntime } from '@cleveragents/tool';
import { GitWorkspace, type Sandbox } from '@cleveragents/workspace';
import { judgeCall, type Verdict } from './domain/gates.js';
import { PhaseEnd } from './phase-end.js';
import type { PlanCheckpointRow } from './plan-checkpoint.entity.js';
import { PlanJournal, type DecisionDraft } from './plan-journal.js';
import { stepArtifact } from './plan-messages.js';
import { PlanRecordRepository, type StepPatch } from './plan-record.repository.js';
import { ownOrigin, type PlanRun } from './plan-run.js';
import type { Awaiting, PlanRow } from './plan.entity.js';
import { lastOf, newCheckpointId } from './sandbox-keeper.js';

@Injectable()
export class StepRecorderFactory {
  constructor(
    readonly workspace: GitWorkspace,
    readonly tools: ToolRuntime,
    readonly records: PlanRecordRepository,
    readonly journal: PlanJournal,
    readonly phaseEnd: PhaseEnd,
    readonly clock: Clock,
  ) {}

  create(run: PlanRun, target: number, sandbox: Sandbox): StepRecorder {
    return new StepRecorder(run, target, sandbox, this);
  }
}

type EndedStep = Exclude<StepOutcome, { readonly status: 'skipped' }>;

/** Keeps what the steps of one target do: before the next one begins, the last one's changes and records are durable. */
export class StepRecorder implements StepObserver {
  constructor(
    private readonly run: PlanRun,
    private readonly target: number,
    private readonly sandbox: Sandbox,
    private readonly parts: StepRecorderFactory,
  ) {}

  async stepStarts(step: ActorStep): Promise<void> {
    this.run.throwIfPaused();
    await this.run.commit(() => this.patchStep(step, { status: 'running' }));
  }

  async permit(call: ProposedCall): Promise<'run' | 'ask'> {
    const verdict = await this.judge(call);
    if (verdict.kind === 'refuse') {
      const { id: step, tool } = call.step;
      throw new PlanError(`${tool} may not run: ${verdict.why}`, { step, tool }, { reason: 'TOOL_REFUSED' });
    }
    return verdict.kind === 'ask' && !(await this.isApproved(call.step)) ? 'ask' : 'run';
  }

  async stepEnded(outcome: StepOutcome): Promise<void> {
    if (outcome.status === 'skipped') {
      await this.run.commit(() => this.patchStep(outcome.step, { status: 'skipped', endedAt: this.now() }));
      return;
    }
    const commit = outcome.status === 'done' ? await this.checkpoint(outcome.step) : null;
    await this.run.commit((plan) => this.recordCall(plan, outcome, commit));
  }

  async discardAttempt(): Promise<void> {
    const last = lastOf(await this.parts.records.checkpointsOf(this.run.planId), this.target);
    if (last !== null) await this.parts.workspace.reset(this.sandbox, last.commit);
  }

  /** T7: the plan rests at the step until a person has answered. */
  async ask({ step, gates }: ProposedCall): Promise<void> {
    await this.run.commit(async (plan) => {
      await this.patchStep(step, { status: 'queued' });
      const awaiting: Awaiting = {
        kind: 'tool_approval',
        prompt: `Step ${step.id} wants to call ${step.tool} (${gates.join(', ')}). Answer "approve" or "reject".`,
        decisionId: decisionOf(plan, step),
        step: { id: step.id, target: this.target },
        since: this.now().toISOString(),
      };
      await this.parts.journal.move(plan, 'ask', ownOrigin(plan.runOrigin), { patch: { awaiting } });
    });
  }

  async fail(step: ActorStep, failure: CleverAgentsError): Promise<void> {
    await this.run.commit(async (plan) => {
      await this.patchStep(step, { status: 'failed' });
      await this.recordTool(plan, step, 'failed', { reason: failure.reason });
      await this.parts.phaseEnd.fail(plan, failure, { step: step.id, tool: step.tool });
    });
  }

  private async judge({ step, gates }: ProposedCall): Promise<Verdict> {
    const definition = this.parts.tools.find(step.tool);
    const call = {
      tool: step.tool,
      isUnsafe: definition?.capabilities.isUnsafe ?? false,
      confidence: step.confidence,
      gates,
    };
    return judgeCall(this.run.snapshot.profile.spec, call, (await this.run.read()).toolCalls);
  }

  private async isApproved({ id }: ActorStep): Promise<boolean> {
    const steps = await this.parts.records.stepsOf(this.run.planId);
    return steps.some(({ target, stepId, isApproved }) => target === this.target && stepId === id && isApproved);
  }

  private async checkpoint(step: ActorStep): Promise<string | null> {
    const { author } = this.run.snapshot;
    return this.parts.workspace.checkpoint(this.sandbox, { message: `${step.id}: ${step.tool}`, author });
  }

  private async recordCall(plan: PlanRow, outcome: EndedStep, commit: string | null): Promise<void> {
    const { step } = outcome;
    const checkpoints = await this.parts.records.checkpointsOf(plan.id);
    const decision = this.callDecision(plan, outcome, lastOf(checkpoints, this.target));
    if (commit !== null) await this.addCheckpoint(plan, step, commit, checkpoints.length);
    const output = outcome.status === 'done' ? outcome.result.output : {};
    await this.patchStep(step, { status: outcome.status, output, endedAt: this.now() });
    await this.parts.journal.move(plan, 'progress', ownOrigin(plan.runOrigin), {
      patch: { toolCalls: plan.toolCalls + outcome.attempts },
      decisions: [decision],
      artifacts: [stepArtifact(this.artifactId(step), summaryOf(outcome), dataOf(outcome))],
    });
    await this.recordTool(plan, step, outcome.status === 'done' ? 'ok' : 'failed', { attempts: outcome.attempts });
    if (decision.artifacts !== undefined && decision.artifacts.length > 0) await this.recordChange(plan, decision);
  }

  private callDecision(plan: PlanRow, outcome: EndedStep, before: PlanCheckpointRow | null): DecisionDraft {
    const { step } = outcome;
    const isDone = outcome.status === 'done';
    return {
      id: newUlid(),
      parentId: decisionOf(plan, step),
      type: isDone ? 'tool_invocation' : 'error_recovery',
      question: isDone
        ? `Which tool carries out step ${step.id}?`
        : `What follows from the failure of step ${step.id}?`,
      chosen: isDone ? step.tool : 'continue',
      confidence: step.confidence,
      rationale: summaryOf(outcome),
      checkpointBefore: before?.id ?? null,
      artifacts: isDone ? outcome.result.changedPaths : [],
      stepId: step.id,
      actor: this.run.snapshot.actors.execution.name,
    };
  }

  private async addCheckpoint(plan: PlanRow, step: ActorStep, commit: string, ordinal: number): Promise<void> {
    const { id: stepId, tool } = step;
    const place = { planId: plan.id, ordinal, target: this.target, phase: plan.phase };
    const reason = `step ${stepId}`;
    const createdAt = this.now();
    await this.parts.records.addCheckpoint({
      id: newCheckpointId(),
      ...place,
      stepId,
      tool,
      reason,
      commit,
      createdAt,
    });
  }

  private async recordTool(plan: PlanRow, step: ActorStep, outcome: 'ok' | 'failed', more: JsonObject): Promise<void> {
    const details = { tool: step.tool, step: step.id, ...more };
    await this.parts.journal.record(plan, ownOrigin(plan.runOrigin), { event: 'tool_invoked', outcome, details });
  }

  private async recordChange(plan: PlanRow, { artifacts = [], chosen }: DecisionDraft): Promise<void> {
    const resource = this.run.snapshot.targets[this.target]?.resource ?? '';
    const details = { resource, kind: 'sandbox', paths: [...artifacts], tool: chosen };
    await this.parts.journal.record(plan, ownOrigin(plan.runOrigin), { event: 'resource_modified', details });
  }

  private async patchStep(step: ActorStep, patch: StepPatch): Promise<void> {
    const { planId } = this.run;
    await this.parts.records.updateStep({ planId, target: this.target, stepId: step.id }, patch);
  }

  /** One name per step; where there are several targets, per step and target. */
  private artifactId(step: ActorStep): string {
    const { targets } = this.run.snapshot;
    return targets.length === 1 ? step.id : `${step.id}@${targets[this.target]?.resource ?? this.target}`;
  }

  private now(): Date {
    return this.parts.clock.now();
  }
}

function decisionOf({ strategy }: PlanRow, step: ActorStep): string | null {
  return strategy?.steps.find(({ id }) => id === step.id)?.decisionId ?? null;
}

function summaryOf(outcome: EndedStep): string {
  return outcome.status === 'done' ? outcome.result.summary : outcome.failure.message;
}

function dataOf(outcome: EndedStep): JsonObject {
  const { step, status, attempts } = outcome;
  const base = { step: step.id, tool: step.tool, status, attempts };
  if (outcome.status === 'failed') return { ...base, error: { reason: outcome.failure.reason } };
  const { output, changedPaths, durationMs } = outcome.result;
  return { ...base, output, changed_paths: [...changedPaths], duration_ms: durationMs };
}
