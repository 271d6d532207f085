import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { Clock, ConfigurationError, PlanError, ValidationError } from '@cleveragents/kernel';
import { CommandCheck, type CommandCheckResult } from '@cleveragents/tool';
import { GitWorkspace, type Sandbox } from '@cleveragents/workspace';
import { PhaseEnd } from './phase-end.js';
import { PlanJournal } from './plan-journal.js';
import { validationArtifact } from './plan-messages.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import { ownOrigin, type PlanRun } from './plan-run.js';
import type { PlannedValidation } from './plan-snapshot.entity.js';

/** Runs the validations of a plan at the end of its execute phase. */
@Injectable()
export class ValidationRun {
  constructor(
    private readonly checks: CommandCheck,
    private readonly workspace: GitWorkspace,
    private readonly records: PlanRecordRepository,
    private readonly journal: PlanJournal,
    private readonly phaseEnd: PhaseEnd,
    private readonly clock: Clock,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  /** False when a required one failed: the plan is errored then. All of them run, so that all failures are known. */
  async run(run: PlanRun, sandboxes: readonly Sandbox[]): Promise<boolean> {
    const failed: string[] = [];
    for (const [ordinal, validation] of run.snapshot.validations.entries()) {
      const sandbox = sandboxes[validation.target];
      if (sandbox === undefined) throw new Error(`Validation ${validation.name} has no sandbox`);
      const result = await this.check(run, validation, sandbox);
      await this.record(run, ordinal, validation, result);
      if (!result.passed && validation.mode === 'required') failed.push(validation.name);
    }
    if (failed.length === 0) return true;
    await run.commit((plan) => this.phaseEnd.fail(plan, validationsFailed(failed), {}));
    return false;
  }

  private async check(
    { signal }: PlanRun,
    { name, argv, timeoutMs }: PlannedValidation,
    sandbox: Sandbox,
  ): Promise<CommandCheckResult> {
    const { commandAllow } = this.config.workspace;
    const request = { argv, root: sandbox.root, signal, commandAllow, timeoutMs };
    const result = await this.checks.run(request).catch((error: unknown) => {
      throw named(error, name);
    });
    // A validation only looks: what it left behind is not part of the plan.
    await this.workspace.reset(sandbox, await this.workspace.headOf(sandbox));
    return result;
  }

  private async record(
    run: PlanRun,
    ordinal: number,
    { name, mode }: PlannedValidation,
    { passed, message, exitCode, output, durationMs }: CommandCheckResult,
  ): Promise<void> {
    const report = { message, exit_code: exitCode, output };
    await run.commit(async (plan) => {
      const createdAt = this.clock.now();
      const row = { planId: plan.id, ordinal, validation: name, mode, passed, report, durationMs, createdAt };
      await this.records.saveValidation(row);
      const data = { validation: name, mode, passed, duration_ms: durationMs, ...report };
      const artifacts = [validationArtifact(name, `${name}: ${passed ? 'passed' : message}`, data)];
      await this.journal.amend(plan, ownOrigin(plan.runOrigin), { artifacts });
    });
  }
}

/** What kept a validation from starting, with its name; whoever reads the plan's error knows what to mend. */
function named(error: unknown, validation: string): unknown {
  const options = { cause: error };
  if (error instanceof ConfigurationError) {
    const message = `Validation ${validation} cannot start: ${error.message}`;
    return new ConfigurationError(message, { ...error.details, validation }, { ...options, reason: error.reason });
  }
  if (!(error instanceof ValidationError)) return error;
  const problems = error.problems.map(({ path, message }) => `${path} ${message}`).join('; ');
  const message = `Validation ${validation} cannot start: ${problems}`;
  return new PlanError(message, { validation }, { ...options, reason: 'VALIDATION_NOT_STARTED' });
}

function validationsFailed(names: readonly string[]): PlanError {
  const message = `Required validation failed: ${names.join(', ')}`;
  return new PlanError(message, { validations: [...names] }, { reason: 'VALIDATION_FAILED' });
}
