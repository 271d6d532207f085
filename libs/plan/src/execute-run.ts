import { Inject, Injectable } from '@nestjs/common';
import { StepExecutor, stepsById, type StepRun, type StepRunEnd } from '@cleveragents/actor';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { ConfigurationError } from '@cleveragents/kernel';
import type { ActorStep } from '@cleveragents/registry';
import type { Sandbox } from '@cleveragents/workspace';
import { ChangesetReader } from './changeset-reader.js';
import { PhaseEnd } from './phase-end.js';
import { SandboxFiles } from './places.js';
import { diffArtifact } from './plan-messages.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import type { PlanRun } from './plan-run.js';
import type { PlanRow } from './plan.entity.js';
import { SandboxKeeper } from './sandbox-keeper.js';
import { StepRecorder, StepRecorderFactory } from './step-recorder.js';
import { stepSource } from './step-source.js';
import { stepScope } from './template-scope.js';
import { ValidationRun } from './validation-run.js';

/** The execute phase: the steps in each target's sandbox, then the validations, then the changeset is fixed. */
@Injectable()
export class ExecuteRun {
  constructor(
    private readonly sandboxes: SandboxKeeper,
    private readonly recorders: StepRecorderFactory,
    private readonly executor: StepExecutor,
    private readonly validations: ValidationRun,
    private readonly changesets: ChangesetReader,
    private readonly records: PlanRecordRepository,
    private readonly phaseEnd: PhaseEnd,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  async run(run: PlanRun): Promise<void> {
    const steps = plannedSteps(run, await run.read());
    const sandboxes = await this.sandboxes.prepare(run, steps);
    for (const [target, sandbox] of sandboxes.entries()) {
      const recorder = this.recorders.create(run, target, sandbox);
      const end = await this.executor.run(await this.stepRun(run, target, sandbox, steps, recorder));
      if (end.kind !== 'done') return this.rest(recorder, end);
    }
    if (await this.validations.run(run, sandboxes)) await this.finish(run);
  }

  private async rest(recorder: StepRecorder, end: Exclude<StepRunEnd, { kind: 'done' }>): Promise<void> {
    if (end.kind === 'asks') await recorder.ask(end.call);
    else await recorder.fail(end.step, end.failure);
  }

  private async stepRun(
    run: PlanRun,
    target: number,
    sandbox: Sandbox,
    steps: readonly ActorStep[],
    observer: StepRecorder,
  ): Promise<StepRun> {
    const { planId, snapshot, signal } = run;
    const planTarget = snapshot.targets[target];
    if (planTarget === undefined) throw new Error(`Plan ${planId} has no target ${target}`);
    const { commandAllow } = this.config.workspace;
    const { isReadOnly } = await run.read();
    return {
      steps,
      scope: stepScope(planId, snapshot, planTarget),
      outputs: await this.outputsOf(planId, target),
      place: new SandboxFiles(sandbox),
      tools: { root: sandbox.root, signal, commandAllow, isReadOnly },
      configGlobs: planTarget.configGlobs,
      maxRetries: snapshot.profile.spec.safety.max_retries_per_step,
      observer,
    };
  }

  private async outputsOf(planId: string, target: number): Promise<StepRun['outputs']> {
    const steps = await this.records.stepsOf(planId);
    const ended = steps.filter((step) => step.target === target && step.endedAt !== null);
    return new Map(ended.map((step) => [step.stepId, step.output ?? {}]));
  }

  private async finish(run: PlanRun): Promise<void> {
    const changes = await this.changesets.read(await run.read());
    await run.commit((plan) =>
      this.phaseEnd.finish(plan, run.snapshot, {
        patch: { changeset: this.changesets.freeze(changes) },
        artifacts: [diffArtifact(changes)],
      }),
    );
  }
}

/** The steps of the chosen strategy, as the execution actor carries them out. */
function plannedSteps({ snapshot }: PlanRun, { strategy }: PlanRow): ActorStep[] {
  const source = stepSource(snapshot);
  if (source === null || strategy === null) {
    const { name } = snapshot.actors.execution;
    const message = `Actor ${name} has no steps: without them there is nothing to carry out`;
    throw new ConfigurationError(message, { key: 'execution_actor', actor: name });
  }
  return stepsById(
    source,
    strategy.steps.map(({ id }) => id),
  );
}
