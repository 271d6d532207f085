import { Injectable } from '@nestjs/common';
import {
  BusinessRuleViolation,
  Clock,
  ConfigurationError,
  PlanError,
  type ErrorDetails,
  type JsonValue,
} from '@cleveragents/kernel';
import { isInterrupted, isTerminal, type TaskState } from '@cleveragents/protocol';
import { TaskWatcher } from '@cleveragents/task';
import { allowedMethods, wrongState } from './domain/plan-state.js';
import { planNotFound } from './plan-access.js';
import { situationOf, stageOfPlan } from './plan-situation.js';
import { PlanRepository } from './plan.repository.js';
import type { PlanFailure, PlanRow } from './plan.entity.js';

/** The longest that a call waits for a plan. */
const WAIT_LIMIT_MS = 60_000;
const LOOK_MS = 1_000;

/** Waiting for a plan to rest, for callers that want the outcome in the answer: a failure is their error then. */
@Injectable()
export class PlanRest {
  constructor(
    private readonly plans: PlanRepository,
    private readonly watcher: TaskWatcher,
    private readonly clock: Clock,
  ) {}

  async afterExecute(plan: PlanRow, signal: AbortSignal): Promise<PlanRow> {
    const rested = await this.rested(plan, signal);
    if (rested.state === 'errored') throw asError(rested);
    return rested;
  }

  async afterApply(plan: PlanRow, signal: AbortSignal): Promise<PlanRow> {
    const rested = await this.rested(plan, signal);
    if (rested.state === 'errored' || rested.state === 'constrained') throw asError(rested);
    if (rested.state === 'cancelled') throw wrongState(situationOf(rested), 'The plan was cancelled');
    if (stageOfPlan(rested) === 'execute/complete' && rested.failure !== null) throw asRefusal(rested, rested.failure);
    return rested;
  }

  /**
   * Holds nothing open while it waits: the plan's task tells when it rests, whichever process runs it. Now and then the
   * plan is looked at besides.
   */
  private async rested({ id, taskId }: PlanRow, signal: AbortSignal): Promise<PlanRow> {
    const end = this.clock.now().getTime() + WAIT_LIMIT_MS;
    for (;;) {
      const left = end - this.clock.now().getTime();
      await this.watcher.untilRest(taskId, Math.min(LOOK_MS, left), signal);
      const plan = await this.plans.find(id);
      if (plan === null) throw planNotFound(id);
      if (isAtRest(plan.taskState) || left <= LOOK_MS || signal.aborted) return plan;
    }
  }
}

function isAtRest(state: TaskState): boolean {
  return isTerminal(state) || isInterrupted(state);
}

function asError(plan: PlanRow): PlanError | ConfigurationError {
  const { failure } = plan;
  const message = failure?.message ?? `The plan is ${plan.state}`;
  const options = failure === null ? {} : { reason: failure.reason };
  if (failure?.type === ConfigurationError.name) {
    return new ConfigurationError(message, defined({ ...failure.details, plan_id: plan.id }), options);
  }
  const place = {
    plan_id: plan.id,
    phase: plan.phase,
    state: plan.state,
    step: failure?.step ?? null,
    checkpoint: failure?.checkpoint ?? null,
    recoverable: plan.isRecoverable,
    allowed: allowedMethods(situationOf(plan)),
  };
  return new PlanError(message, defined({ ...failure?.details, ...place }), options);
}

/** The merge was refused before it began; the plan stands where it stood. */
function asRefusal(plan: PlanRow, { message, reason, details }: PlanFailure): BusinessRuleViolation {
  const { phase, state } = plan;
  const place = { phase, state, status: stageOfPlan(plan), allowed: allowedMethods(situationOf(plan)) };
  return new BusinessRuleViolation(message, defined({ ...details, ...place }), { reason });
}

function defined(details: Record<string, JsonValue | undefined>): ErrorDetails {
  const entries = Object.entries(details).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  return Object.fromEntries(entries);
}
