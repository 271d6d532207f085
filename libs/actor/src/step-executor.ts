import { Injectable } from '@nestjs/common';
import { CleverAgentsError, type JsonObject } from '@cleveragents/kernel';
import type { ActorStep } from '@cleveragents/registry';
import { ToolRuntime, type ChangeGate, type ToolContext, type ToolResult } from '@cleveragents/tool';
import { renderMembers } from './template.js';
import { holds, type Place } from './when.js';

/** A tool call with everything decided but whether it may run. */
export interface ProposedCall {
  readonly step: ActorStep;
  readonly inputs: JsonObject;
  /** What the call changes, in the words of automation profiles. */
  readonly gates: readonly ChangeGate[];
}

export type StepOutcome =
  | { readonly status: 'skipped'; readonly step: ActorStep }
  | {
      readonly status: 'done';
      readonly step: ActorStep;
      readonly inputs: JsonObject;
      readonly result: ToolResult;
      readonly attempts: number;
    }
  | {
      readonly status: 'failed';
      readonly step: ActorStep;
      readonly failure: CleverAgentsError;
      readonly attempts: number;
    };

/** Whoever has the steps run: decides on calls, and keeps what happened before the next step begins. */
export interface StepObserver {
  stepStarts(step: ActorStep): Promise<void>;
  /** `ask` leaves the run before the call; a call that may never run throws. */
  permit(call: ProposedCall): Promise<'run' | 'ask'>;
  stepEnded(outcome: StepOutcome): Promise<void>;
  /** Removes what a failed attempt left in the sandbox. */
  discardAttempt(): Promise<void>;
}

export interface StepRun {
  readonly steps: readonly ActorStep[];
  /** Values for templates besides `steps`: `args`, `project`, `plan`. */
  readonly scope: JsonObject;
  /** Outputs of the steps that an earlier run has ended, by step id: they do not run again. */
  readonly outputs: ReadonlyMap<string, JsonObject>;
  readonly place: Place;
  readonly tools: ToolContext;
  /** Paths whose change counts as a change of configuration. */
  readonly configGlobs: readonly string[];
  /** Further attempts at a step with `on_error: retry`. */
  readonly maxRetries: number;
  readonly observer: StepObserver;
}

/** How a run of steps ended; `asks` and `failed` name the step that a next run begins with. */
export type StepRunEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'asks'; readonly call: ProposedCall }
  | { readonly kind: 'failed'; readonly step: ActorStep; readonly failure: CleverAgentsError };

/** Carries out the steps of a deterministic actor, one after the other. */
@Injectable()
export class StepExecutor {
  constructor(private readonly tools: ToolRuntime) {}

  async run(run: StepRun): Promise<StepRunEnd> {
    const outputs = new Map(run.outputs);
    for (const step of run.steps) {
      if (outputs.has(step.id)) continue;
      run.tools.signal.throwIfAborted();
      await run.observer.stepStarts(step);
      const outcome = await this.attempt(run, step, scopeWith(run.scope, outputs));
      if ('gates' in outcome) return { kind: 'asks', call: outcome };
      if (outcome.status === 'failed' && step.on_error !== 'continue') {
        return { kind: 'failed', step, failure: outcome.failure };
      }
      await run.observer.stepEnded(outcome);
      outputs.set(step.id, outcome.status === 'done' ? outcome.result.output : {});
    }
    return { kind: 'done' };
  }

  private async attempt(run: StepRun, step: ActorStep, scope: JsonObject): Promise<StepOutcome | ProposedCall> {
    const limit = step.on_error === 'retry' ? 1 + run.maxRetries : 1;
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await this.once(run, step, scope, attempts);
      } catch (failure) {
        run.tools.signal.throwIfAborted();
        // Only what the domain itself reports is a failure of the step; anything else is a fault of the server.
        if (!(failure instanceof CleverAgentsError)) throw failure;
        await run.observer.discardAttempt();
        if (attempts >= limit) return { status: 'failed', step, failure, attempts };
      }
    }
  }

  private async once(
    run: StepRun,
    step: ActorStep,
    scope: JsonObject,
    attempts: number,
  ): Promise<StepOutcome | ProposedCall> {
    if (step.when !== undefined && !(await holds(step.when, run.place, scope))) return { status: 'skipped', step };
    const inputs = renderMembers(step.inputs, scope);
    const gates = await this.tools.gatesOf(step.tool, inputs, { root: run.tools.root, configGlobs: run.configGlobs });
    const call: ProposedCall = { step, inputs, gates };
    if ((await run.observer.permit(call)) === 'ask') return call;
    const result = await this.tools.call(step.tool, inputs, run.tools);
    return { status: 'done', step, inputs, result, attempts };
  }
}

function scopeWith(scope: JsonObject, outputs: ReadonlyMap<string, JsonObject>): JsonObject {
  const steps = Object.fromEntries([...outputs].map(([id, output]) => [id, { output }]));
  return { ...scope, steps };
}
